//! Values of flags: durations, seeds, APIs.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use tacit_contract::protocol::Api;

use crate::nearest::did_you_mean;

/// The longest duration that a flag takes: a limit beyond a day is a slip of the hand.
const LONGEST: Duration = Duration::from_hours(24);

/// Reads a duration, such as `500ms`, `10s` or `2m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number and a unit, such as 500ms, 10s or 2m".to_owned();
    let (number, unit) = number_and_unit(text).ok_or_else(expected)?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(expected()),
    };
    let duration = number.checked_mul(milliseconds).map(Duration::from_millis);
    match duration {
        Some(Duration::ZERO) => Err("expected more than nothing".to_owned()),
        Some(duration) if duration <= LONGEST => Ok(duration),
        _ => Err("expected 24h at the most".to_owned()),
    }
}

/// Reads an amount of memory, such as `512MiB` or `8GiB`, in bytes.
pub fn memory(text: &str) -> Result<u64, String> {
    let expected = || "expected a number and a unit, such as 512MiB or 8GiB".to_owned();
    let (number, unit) = number_and_unit(text).ok_or_else(expected)?;
    let bytes = match unit {
        "MiB" => number.checked_mul(1 << 20),
        "GiB" => number.checked_mul(1 << 30),
        _ => return Err(expected()),
    };
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "expected from 1MiB to 16777216GiB".to_owned())
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    Some((number.parse().ok()?, unit))
}

/// Reads a seed, as it is printed.
pub fn seed(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    // The parser of the standard library would take a sign as well.
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let seed = if all { u64::from_str_radix(digits, 16).ok() } else { None };
    seed.ok_or_else(|| "expected up to 16 hexadecimal digits, such as 4f1c09aa".to_owned())
}

/// Reads a number of cases.
pub fn cases(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}", u32::MAX))
}

/// Reads a number of workers.
pub fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number: Option<NonZeroUsize> = text.parse().ok();
    number
        .filter(|number| number.get() <= 256)
        .ok_or_else(|| "expected a number from 1 to 256".to_owned())
}

/// Reads a number of steps.
pub fn depth(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a number of steps from 1 to {}", u32::MAX))
}

/// The APIs to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apis {
    /// Every API that the runtime speaks.
    All,
    /// One of them.
    One(Api),
}

impl Apis {
    /// The APIs, in the order of the protocol.
    pub fn list(self) -> Vec<Api> {
        match self {
            Self::All => Api::ALL.to_vec(),
            Self::One(api) => vec![api],
        }
    }
}

/// Reads the name of an API, or `all`.
pub fn apis(text: &str) -> Result<Apis, String> {
    if text == "all" {
        return Ok(Apis::All);
    }
    let known = Api::ALL.map(Api::as_str);
    Api::ALL.into_iter().find(|api| api.as_str() == text).map(Apis::One).ok_or_else(|| {
        let hint = did_you_mean(text, known.into_iter().chain(["all"]));
        format!("there is no such API: expected {} or all{hint}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_a_number_with_a_unit() {
        for (text, milliseconds) in [("500ms", 500), ("10s", 10_000), ("2m", 120_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)));
        }
        for text in ["", "10", "s", "-1s", "1.5s", "10 s", "0s", "25h", "99999999999999999999ms"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_amount_of_memory_is_a_number_with_a_unit() {
        assert_eq!(memory("512MiB"), Ok(512 << 20));
        assert_eq!(memory("8GiB"), Ok(8 << 30));
        for text in ["", "8", "GiB", "-1GiB", "8 GiB", "0MiB", "8GB", "99999999999999999999GiB"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_seed_is_read_as_it_is_printed() {
        for number in [0, 1, 0x4f1c_09aa, u64::MAX] {
            assert_eq!(seed(&tacit_reports::time::seed(number)), Ok(number));
        }
        for text in ["", "0x", "+1", "xyz", "11112222333344445"] {
            assert!(seed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_api_is_asked_for_by_its_name_in_the_protocol() {
        for api in Api::ALL {
            assert_eq!(apis(api.as_str()), Ok(Apis::One(api)));
        }
        assert_eq!(apis("all").map(Apis::list), Ok(Api::ALL.to_vec()));
        assert!(apis("openai-chats").is_err_and(|error| error.contains("`openai-chat`")));
    }
}
