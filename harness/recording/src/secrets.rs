//! What nobody else should read: taken out before anything is stored or printed.
//!
//! Headers and the query of an address are never taken in at all. What is left are bodies, which
//! hold secrets under telling names, and tokens that a text quotes.

use serde_json::Value;

/// What stands in place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// The names, letters and digits alone, under which secrets stand.
const NAMES: [&str; 16] = [
    "authorization",
    "proxyauthorization",
    "cookie",
    "setcookie",
    "apikey",
    "xapikey",
    "xgoogapikey",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "secretkey",
    "privatekey",
    "password",
];

/// What the tokens of well-known services begin with.
const PREFIXES: [&str; 14] = [
    "sk-",
    "sk_live_",
    "pk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
];

/// The fewest characters of a token.
const SHORTEST: usize = 16;

/// Takes the secrets out of a value.
///
/// A name alone redacts a text, and no schema: a tool may well have a parameter of that name.
pub(crate) fn redact(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(clean) = redacted(text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match value {
                    Value::String(text) if is_telling(name) => REDACTED.clone_into(text),
                    other => redact(other),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text without its secrets; `None` where it holds none.
pub(crate) fn redacted(text: &str) -> Option<String> {
    // Arguments of calls are JSON inside of a text.
    if text.starts_with('{')
        && let Ok(mut inner @ Value::Object(_)) = serde_json::from_str(text)
    {
        let before = inner.clone();
        redact(&mut inner);
        return (inner != before).then(|| inner.to_string());
    }
    let mut clean = String::new();
    let mut kept = 0;
    let mut after_bearer = false;
    for (start, word) in words(text) {
        let is_token = word.len() >= SHORTEST
            && (after_bearer || PREFIXES.iter().any(|prefix| word.starts_with(prefix)));
        if is_token {
            clean.push_str(&text[kept..start]);
            clean.push_str(REDACTED);
            kept = start + word.len();
        }
        after_bearer = word.eq_ignore_ascii_case("bearer");
    }
    (kept > 0).then(|| clean + &text[kept..])
}

/// The runs of what a token is made of, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.+/=~".contains(c);
    text.split(move |c| !is_part(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

fn is_telling(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    NAMES.contains(&plain.as_str())
}

/// The path of an address, without host and query: both may hold secrets.
pub(crate) fn path_of(address: &str) -> String {
    let rest = address
        .split_once("://")
        .map_or(address, |(_, rest)| rest.find('/').map_or("/", |slash| &rest[slash..]));
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    redacted(path).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_taken_out_by_its_name_and_by_its_form() {
        let mut body = json!({
            "metadata": {"api_key": "hunter2", "X-Api-Key": "hunter3"},
            "messages": [{"content": "use sk-abcdefghijklmnop1234, and Bearer abcdefghijklmnop."}],
            "call": {"arguments": "{\"password\":\"hunter4\",\"city\":\"Oslo\"}"},
        });
        redact(&mut body);
        let text = body.to_string();
        for secret in ["hunter", "sk-abc", "abcdefghijklmnop"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(text.contains("Oslo") && text.contains("use [redacted], and Bearer [redacted]"));
    }

    #[test]
    fn what_is_no_secret_stays_as_it_was() {
        let schema = json!({"properties": {"api_key": {"type": "string"}}, "text": "basic skills"});
        let mut same = schema.clone();
        redact(&mut same);
        assert_eq!(same, schema);
        assert_eq!(redacted("{\"input\": \"x\"}"), None);
    }

    #[test]
    fn of_an_address_the_path_alone_is_left() {
        assert_eq!(path_of("https://me:pw@host/v1/messages?key=abc#x"), "/v1/messages");
        assert_eq!(path_of("/v1/responses"), "/v1/responses");
        assert_eq!(path_of("https://host"), "/");
    }
}
