//! Times and numbers as people and scripts read them.

use tacit_contract::Day;

/// Seconds since 1970-01-01 UTC as RFC 3339.
#[must_use]
pub fn rfc3339(seconds: u64) -> String {
    let day = Day::of(seconds);
    let rest = seconds - day.begins();
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{day}T{hour:02}:{minute:02}:{second:02}Z")
}

/// What [`rfc3339`] wrote, as seconds since 1970-01-01 UTC; `None` for anything else.
#[must_use]
pub fn from_rfc3339(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut parts = time.split(':').map(|part| part.parse().ok());
    let parts: [u8; 3] = [parts.next()??, parts.next()??, parts.next()??];
    let [hour, minute, second] = parts.map(u64::from);
    let seconds = date.parse::<Day>().ok()?.begins() + hour * 3600 + minute * 60 + second;
    (rfc3339(seconds) == text).then_some(seconds)
}

/// A duration, no more exact than anyone needs: `340 ms`, `4.2 s`, `41 s`, `2 min 3 s`.
#[must_use]
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..10_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        10_000..60_000 => format!("{} s", ms / 1_000),
        _ => format!("{} min {} s", ms / 60_000, ms / 1_000 % 60),
    }
}

/// A long duration in one unit: `3 minutes`, `2 hours`, `11 years`.
#[must_use]
pub fn about(ms: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(365 * 86_400_000, "year"), (86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute")];
    let unit = UNITS.into_iter().find(|(length, _)| ms / length > 0);
    unit.map_or_else(
        || duration(ms),
        |(length, name)| {
            counted((ms / length).saturating_add(u64::from(ms % length >= length / 2)), name)
        },
    )
}

/// A number in groups of three: `2,816`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts, in the plural where it should be.
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A seed, as it is printed and as `--seed` takes it.
#[must_use]
pub fn seed(seed: u64) -> String {
    format!("{seed:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_utc_and_read_back() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_342_399, "2026-12-03T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
            assert_eq!(from_rfc3339(text), Some(seconds));
        }
    }

    #[test]
    fn what_is_no_time_is_not_read_as_one() {
        for text in ["", "2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00+01:00"] {
            assert_eq!(from_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_and_durations_are_short() {
        assert_eq!(grouped(2_816), "2,816");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(counted(1, "warning"), "1 warning");
        assert_eq!(counted(0, "warning"), "0 warnings");
        let shown = [340, 4_260, 41_999, 123_000].map(duration);
        assert_eq!(shown, ["340 ms", "4.2 s", "41 s", "2 min 3 s"]);
        let shown = [41_999, 100_000, 5_300_000, 90_000_000, 34_000_000_000].map(about);
        assert_eq!(shown, ["41 s", "2 minutes", "1 hour", "1 day", "1 year"]);
    }
}
