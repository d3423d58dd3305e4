//! The kill matrix, as a person reads it: a line for each fault under the clause that it breaks,
//! then the sums, and what is wrong last.

use tacit_contract::ClauseId;
use tacit_contract::matrix::{CheckKind, Kill, Matrix, Tried, WithoutFault};

use super::Options;
use super::palette::{Palette, Style};
use super::text::{hang, joined, width};
use crate::time;

/// How wide the columns are: key, scenario, time, property, cases, steps.
const COLUMNS: [usize; 6] = [28, 14, 6, 15, 4, 5];

/// Which of them stand to the right.
const TO_THE_RIGHT: [bool; 6] = [false, false, true, false, true, true];

/// The matrix as text.
#[must_use]
pub fn render(matrix: &Matrix, options: &Options) -> String {
    let page = Page { matrix, palette: Palette::new(options.colour), width: options.width };
    [page.header(), page.faults(), page.sums(), page.wrong(), page.closing()].concat()
}

struct Page<'a> {
    matrix: &'a Matrix,
    palette: Palette,
    width: usize,
}

impl Page<'_> {
    fn header(&self) -> String {
        let parts = [
            format!("tacit {}", self.matrix.tool_version),
            format!("{} of the reference", time::counted(self.matrix.faults.len() as u64, "fault")),
            format!(
                "up to {} of each property",
                time::counted(u64::from(self.matrix.cases), "case")
            ),
            format!("seed {}", self.matrix.seed),
        ];
        joined("", &parts, self.width)
    }

    /// A line for each fault, by the first clause that it is meant to break.
    fn faults(&self) -> String {
        let mut out = String::from("\n");
        let heads = ["", "scenario", "time", "property", "case", "steps"];
        out.push_str(&self.palette.paint(Style::Faint, cells(heads).trim_end()));
        out.push('\n');
        let mut under = "";
        for fault in &self.matrix.faults {
            let clause = fault.clauses.first().map_or("", |clause| clause.as_str());
            if clause != under {
                out.push_str(&self.palette.paint(Style::Strong, clause));
                out.push('\n');
                under = clause;
            }
            out.push_str(&self.fault(fault));
        }
        out.push('\n');
        out
    }

    fn fault(&self, fault: &Tried) -> String {
        let by = |kind| fault.killed_by.iter().find(|kill| kill.by == kind);
        let (scenario, property) = (by(CheckKind::Scenario), by(CheckKind::Property));
        let time = fault.time_to_kill_ms.map(time::duration).unwrap_or_default();
        let case = property.map(|kill| kill.cases.to_string()).unwrap_or_default();
        let place = match (scenario, fault.killed) {
            (_, false) => "SURVIVES".to_owned(),
            (None, true) => "-".to_owned(),
            (Some(kill), true) => kill.check.replace(".feature", ""),
        };
        let property = property.map_or("-", |kill| kill.check.as_str());
        let rest = cells(["", &place, &time, property, &case, &steps(fault)]);
        let rest = rest.get(2 + COLUMNS[0]..).unwrap_or_default().trim_end();
        let style = match longer(fault) {
            _ if !fault.killed => Style::Bad,
            Some(more) if more > 0 => Style::Doubtful,
            _ => Style::Plain,
        };
        let rest = self.palette.paint(style, rest);
        let key = &fault.key;
        if width(key) > COLUMNS[0] {
            return format!("  {key}\n  {:1$}{rest}\n", "", COLUMNS[0]);
        }
        format!("  {key:0$}{rest}\n", COLUMNS[0])
    }

    /// How soon and in how short sessions the faults were found.
    fn sums(&self) -> String {
        let faults = &self.matrix.faults;
        let killed = faults.iter().filter(|fault| fault.killed);
        let times: Vec<u64> = killed.filter_map(|fault| fault.time_to_kill_ms).collect();
        let mut out = self.sum("found", &times);
        for (name, kind) in
            [("by scenarios", CheckKind::Scenario), ("by properties", CheckKind::Property)]
        {
            let kills: Vec<(&Tried, &Kill)> = faults
                .iter()
                .filter_map(|fault| {
                    let by = |kill: &&Kill| kill.by == kind && kill.is_sound();
                    Some((fault, fault.killed_by.iter().find(by)?))
                })
                .collect();
            let times: Vec<u64> = kills.iter().map(|(_, kill)| kill.time_to_kill_ms).collect();
            if !times.is_empty() {
                out.push_str(&self.sum(name, &times));
                out.push_str(&lengths(&kills));
            }
        }
        out.push('\n');
        out
    }

    fn sum(&self, name: &str, times: &[u64]) -> String {
        let within = |limit: u64| times.iter().filter(|time| **time <= limit).count();
        let all = self.matrix.faults.len();
        format!(
            "{name:14} {} of {all}: {} in 0.1 s, {} in 1 s, {} in 10 s, {} in 60 s\n",
            times.len(),
            within(100),
            within(1_000),
            within(10_000),
            within(60_000),
        )
    }

    /// What is wrong, each with a line of its own.
    fn wrong(&self) -> String {
        let mut out = String::new();
        for fault in self.matrix.survivors() {
            let clauses = names(&fault.clauses);
            let why = match fault.killed_by.first() {
                Some(kill) => format!(
                    "{}: what {} found does not show it: it failed again in {} of 3 repetitions, \
                     and the reference without faults {}",
                    fault.key,
                    kill.check,
                    kill.reproduced,
                    match kill.without_fault {
                        WithoutFault::Breaks => "breaks the clause as well",
                        _ => "keeps the clause",
                    }
                ),
                None => format!(
                    "{}: none of {} breaks {clauses}",
                    fault.key,
                    time::counted(u64::from(fault.cases), "case")
                ),
            };
            out.push_str(&self.loud("SURVIVES", &why));
        }
        for clause in &self.matrix.unproven {
            out.push_str(
                &self.loud("UNPROVEN", &format!("{clause}: no fault was seen to break it")),
            );
        }
        for variant in self.matrix.false_alarms() {
            let clauses = names(&variant.blamed);
            let what = format!("{}: a correct variant is blamed for {clauses}", variant.key);
            out.push_str(&self.loud("BLAMED", &what));
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    fn loud(&self, word: &str, what: &str) -> String {
        let lead = format!("{word:9} ");
        let text = hang(&lead, what, self.width);
        let rest = text.get(lead.len()..).unwrap_or_default();
        format!("{} {rest}", self.palette.paint(Style::Bad, &format!("{word:9}")))
    }

    fn closing(&self) -> String {
        let matrix = self.matrix;
        let found = matrix.faults.iter().filter(|fault| fault.killed).count();
        let mut parts = vec![
            format!("{found} of {} found", time::counted(matrix.faults.len() as u64, "fault")),
            format!("{} unproven", time::counted(matrix.unproven.len() as u64, "clause")),
        ];
        if !matrix.variants.is_empty() {
            let blamed = matrix.false_alarms().count();
            let variants = time::counted(matrix.variants.len() as u64, "correct variant");
            parts.push(format!("{blamed} of {variants} blamed"));
        }
        parts.push(time::duration(matrix.duration_ms));
        if matrix.interrupted {
            parts.insert(0, "interrupted".to_owned());
        }
        let style = if matrix.holds() && !matrix.interrupted { Style::Good } else { Style::Bad };
        let line = joined("", &parts, self.width);
        format!("{}\n", self.palette.paint(style, line.trim_end()))
    }
}

/// How many steps the sessions have.
fn lengths(kills: &[(&Tried, &Kill)]) -> String {
    let mut lengths: Vec<u32> = kills.iter().map(|(_, kill)| kill.session_length).collect();
    let mut longer: Vec<u32> = kills
        .iter()
        .filter_map(|(fault, kill)| Some(kill.session_length.saturating_sub(fault.shortest_known?)))
        .collect();
    lengths.sort_unstable();
    longer.sort_unstable();
    let median = |sorted: &[u32]| sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    format!(
        "{:14} median {}, {} more than the shortest known, {} at the most\n",
        "",
        time::counted(u64::from(median(&lengths)), "step"),
        median(&longer),
        longer.last().copied().unwrap_or_default(),
    )
}

/// A line of cells; those with numbers stand to the right.
fn cells(cells: [&str; 6]) -> String {
    let cell = |((text, width), right): ((&str, usize), bool)| {
        if right { format!("{text:>width$}") } else { format!("{text:width$}") }
    };
    let cells = cells.into_iter().zip(COLUMNS).zip(TO_THE_RIGHT).map(cell);
    format!("  {}", cells.collect::<Vec<_>>().join(" "))
}

/// The steps of the session that shows a fault, and of the shortest known.
fn steps(fault: &Tried) -> String {
    match (fault.session_length, fault.shortest_known) {
        (Some(steps), Some(known)) => format!("{steps}/{known}"),
        (Some(steps), None) => steps.to_string(),
        (None, _) => String::new(),
    }
}

/// How many steps more than the shortest known it took; fewer are none.
fn longer(fault: &Tried) -> Option<u32> {
    Some(fault.session_length?.saturating_sub(fault.shortest_known?))
}

fn names(clauses: &[ClauseId]) -> String {
    clauses.iter().map(ClauseId::as_str).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use tacit_contract::Level;
    use tacit_contract::matrix::{Blamed, MATRIX_VERSION, REPETITIONS};

    use super::*;

    fn kill(by: CheckKind, check: &str, cases: u32, time_to_kill_ms: u64) -> Kill {
        Kill {
            clause: "search.at-most-four".into(),
            check: check.to_owned(),
            by,
            cases,
            time_to_kill_ms,
            session_length: 2,
            reproduced: REPETITIONS,
            without_fault: WithoutFault::Keeps,
        }
    }

    fn fault(key: &str, kills: Vec<Kill>, known: Option<u32>) -> Tried {
        Tried {
            key: key.to_owned(),
            seen_in: Vec::new(),
            level: Level::Must,
            clauses: vec!["search.at-most-four".into()],
            killed: kills.iter().any(Kill::is_sound),
            cases: kills.first().map_or(4_608, |kill| kill.cases),
            time_to_kill_ms: kills.first().map(|kill| kill.time_to_kill_ms),
            session_length: kills.iter().map(|kill| kill.session_length).min(),
            shortest_known: known,
            killed_by: kills,
        }
    }

    fn matrix(faults: Vec<Tried>) -> Matrix {
        Matrix {
            schema_version: MATRIX_VERSION,
            tool_version: "0.1.0".to_owned(),
            seed: "00000007".to_owned(),
            cases: 256,
            duration_ms: 41_000,
            faults,
            unproven: Vec::new(),
            variants: Vec::new(),
            interrupted: false,
            exit_code: 0,
        }
    }

    fn text(matrix: &Matrix) -> String {
        let text = render(matrix, &Options::default());
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        text
    }

    fn found() -> Vec<Tried> {
        use CheckKind::{Property, Scenario};
        vec![
            fault(
                "no-cap",
                vec![
                    kill(Scenario, "search.feature:83", 1, 35),
                    kill(Property, "searches", 3, 210),
                ],
                Some(2),
            ),
            fault(
                "a-key-that-is-longer-than-its-column",
                vec![kill(Property, "irrelevant-rows", 123, 1_240)],
                Some(1),
            ),
        ]
    }

    #[test]
    fn faults_that_were_found_have_a_line_each() {
        insta::assert_snapshot!(text(&matrix(found())), @r"
        tacit 0.1.0 · 2 faults of the reference · up to 256 cases of each property
          seed 00000007

                                       scenario         time property        case steps
        search.at-most-four
          no-cap                       search:83       35 ms searches           3   2/2
          a-key-that-is-longer-than-its-column
                                       -               1.2 s irrelevant-rows  123   2/1

        found          2 of 2: 1 in 0.1 s, 1 in 1 s, 2 in 10 s, 2 in 60 s
        by scenarios   1 of 2: 1 in 0.1 s, 1 in 1 s, 1 in 10 s, 1 in 60 s
                       median 2 steps, 0 more than the shortest known, 0 at the most
        by properties  2 of 2: 0 in 0.1 s, 1 in 1 s, 2 in 10 s, 2 in 60 s
                       median 2 steps, 1 more than the shortest known, 1 at the most

        2 of 2 faults found · 0 clauses unproven · 41 s
        ");
    }

    #[test]
    fn what_is_wrong_stands_last() {
        let mut matrix = matrix(found());
        let mut flaky = kill(CheckKind::Property, "isolation", 9, 90);
        flaky.reproduced = 1;
        matrix.faults.push(fault("cap-five", Vec::new(), None));
        matrix.faults.push(fault("cap-per-session", vec![flaky], None));
        matrix.unproven = vec!["search.words".into()];
        let blamed = vec!["search.exact".into()];
        matrix.variants = vec![Blamed { key: "other-ranking".to_owned(), blamed }];
        matrix.interrupted = true;
        let text = text(&matrix);
        let wrong = text.split("at the most\n\n").nth(1).unwrap_or_default();
        insta::assert_snapshot!(wrong, @r"
        SURVIVES  cap-five: none of 4,608 cases breaks search.at-most-four
        SURVIVES  cap-per-session: what isolation found does not show it: it failed
                  again in 1 of 3 repetitions, and the reference without faults keeps
                  the clause
        UNPROVEN  search.words: no fault was seen to break it
        BLAMED    other-ranking: a correct variant is blamed for search.exact

        interrupted · 2 of 4 faults found · 1 clause unproven
          1 of 1 correct variant blamed · 41 s
        ");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let matrix = matrix(found());
        let coloured = render(&matrix, &Options { colour: true, ..Options::default() });
        let mut plain = String::new();
        for part in coloured.split('\u{1b}') {
            let painted = part.starts_with('[') && plain.len() < coloured.len();
            let text = part.split_once('m').filter(|_| painted).map_or(part, |(_, text)| text);
            plain.push_str(text);
        }
        assert_eq!(plain, render(&matrix, &Options::default()));
        assert_ne!(coloured, plain);
    }
}
