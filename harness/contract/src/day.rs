//! Days of the calendar.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const SECONDS: u64 = 86_400;

/// A day from 1970-01-01 to 9999-12-31, in UTC, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Day(u64);

impl Day {
    /// The day of a time, given as seconds since 1970-01-01 UTC.
    #[must_use]
    pub fn of(seconds: u64) -> Self {
        Self(seconds / SECONDS)
    }

    /// When it begins, as seconds since 1970-01-01 UTC.
    #[must_use]
    pub fn begins(self) -> u64 {
        self.0 * SECONDS
    }
}

impl fmt::Display for Day {
    /// Howard Hinnant's calendar arithmetic: years begin in March, so that the leap day comes last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A day that there is not, such as the 30th of February, is written otherwise.
        let day = parts(text).and_then(days).map(Self).filter(|day| day.to_string() == text);
        day.ok_or_else(|| format!("`{text}` is no date: expected YYYY-MM-DD, such as 2027-01-31"))
    }
}

fn parts(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.split('-').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

fn days([year, month, day]: [u64; 3]) -> Option<u64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let march_month = if month > 2 { month - 3 } else { month + 9 };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era).checked_sub(719_468)
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_centuries_survives_the_round_trip() {
        for day in (0..146_097).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day));
            assert_eq!(Day::of(day.begins() + SECONDS - 1), day);
        }
    }

    #[test]
    fn days_are_in_the_order_of_the_calendar() {
        let [before, after]: [Day; 2] =
            ["2026-12-31", "2027-01-01"].map(|day| day.parse().unwrap());
        assert!(before < after);
    }

    #[test]
    fn what_is_no_day_is_told() {
        for text in ["", "2026-02-30", "2026-1-1", "26-01-01", "1969-12-31", "2026-01-01T00:00"] {
            let error = text.parse::<Day>().unwrap_err();
            assert!(error.contains("expected YYYY-MM-DD"), "{error}");
        }
    }
}
