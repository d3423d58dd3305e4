//! The environment of a child: the caller's, less what could lead it past the harness.

use std::ffi::OsString;
use std::path::Path;

/// Where no proxy stands in between.
const LOOPBACK: &str = "127.0.0.1,localhost,::1";

/// What the names of keys end with.
const KEYS: [&str; 6] =
    ["_API_KEY", "_APIKEY", "_API_TOKEN", "_AUTH_TOKEN", "_ACCESS_TOKEN", "_ACCESS_KEY"];

/// What the names of the variables of providers begin with: keys, addresses, models.
const PROVIDERS: [&str; 18] = [
    "ANTHROPIC_",
    "AWS_",
    "AZURE_OPENAI_",
    "CLAUDE_",
    "COHERE_",
    "DEEPSEEK_",
    "FIREWORKS_",
    "GEMINI_",
    "GOOGLE_",
    "GROQ_",
    "HF_",
    "HUGGINGFACE_",
    "MISTRAL_",
    "MOONSHOT_",
    "OPENAI_",
    "OPENROUTER_",
    "TOGETHER_",
    "XAI_",
];

/// Where programs keep what belongs to a user, beside the home.
const HOMES: [&str; 4] = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];

/// The environment of a child whose home is this folder.
pub(super) fn scrubbed(
    vars: impl Iterator<Item = (OsString, OsString)>,
    home: &Path,
) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> =
        vars.filter(|(name, _)| stays(&name.to_string_lossy())).collect();
    for name in ["NO_PROXY", "no_proxy"] {
        kept.push((name.into(), LOOPBACK.into()));
    }
    for name in ["HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP"] {
        kept.push((name.into(), home.into()));
    }
    kept
}

fn stays(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_key = KEYS.iter().any(|end| name.ends_with(end));
    let is_provider = PROVIDERS.iter().any(|begin| name.starts_with(begin));
    let is_proxy = name.ends_with("_PROXY");
    let is_home = HOMES.contains(&name.as_str());
    !(is_key || is_provider || is_proxy || is_home)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(vars: &[(&str, &str)]) -> Vec<(String, String)> {
        let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
        scrubbed(vars, Path::new("/home"))
            .into_iter()
            .map(|(name, value)| {
                (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
            })
            .collect()
    }

    #[test]
    fn keys_proxies_and_the_callers_home_do_not_reach_a_child() {
        let left = after(&[
            ("PATH", "/bin"),
            ("LANG", "C"),
            ("OPENAI_API_KEY", "k"),
            ("openai_base_url", "u"),
            ("SOME_OTHER_API_KEY", "k"),
            ("AWS_SECRET_ACCESS_KEY", "k"),
            ("https_proxy", "p"),
            ("HTTP_PROXY", "p"),
            ("npm_config_proxy", "p"),
            ("XDG_CONFIG_HOME", "h"),
        ]);
        let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "PATH",
                "LANG",
                "NO_PROXY",
                "no_proxy",
                "HOME",
                "USERPROFILE",
                "TMPDIR",
                "TMP",
                "TEMP"
            ]
        );
    }

    #[test]
    fn the_home_and_the_way_past_proxies_are_the_harness_s_own() {
        let left = after(&[("HOME", "/root"), ("NO_PROXY", "example.org")]);
        let last = |name: &str| left.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        assert_eq!(last("HOME"), Some("/home"));
        assert_eq!(last("NO_PROXY"), Some(LOOPBACK));
    }
}
