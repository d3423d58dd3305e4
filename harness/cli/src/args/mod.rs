//! The command line: what can be asked for.

mod amount;
mod check;
mod compare;
mod diff;
mod report;
mod revisions;
mod run;
mod selftest;
mod subject;
pub mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tacit_contract::Revision;
use tacit_reference::Spelling;
use tacit_reports::Colour;

pub use amount::{AmountArgs, ProgressArgs, When};
pub use check::CheckArgs;
pub use compare::CompareArgs;
pub use diff::DiffArgs;
pub use report::ReportArgs;
pub use revisions::RevisionsArgs;
pub use run::RunArgs;
pub use selftest::{Kind, SelftestArgs};
pub use subject::SubjectArgs;

const EXAMPLES: &str = "\
Examples:
  See what a run looks like, on the reference runtime, then with a fault in it:
    tacit run --runtime reference
    tacit run --runtime reference+no-cap
  Find out whether your adapter works, then whether your runtime conforms:
    tacit smoke --runtime 'stdio:node agent.js'
    tacit run --runtime 'stdio:node agent.js' --profile agent.toml
  Read up on a clause that failed, and play what failed again:
    tacit explain search.at-most-four
    tacit replay .tacit/corpus/*.feature

Exit codes: 0 conforms, 1 does not, 2 wrong usage, 3 the runtime cannot be used,
4 too little was tested, 70 a fault of tacit itself, 130 interrupted.";

/// Tool activation conformance tests: tells whether an agent runtime keeps the contract of lazy
/// tool activation
///
/// tacit plays the user, the model provider and the host of a runtime, and judges what the model
/// was shown, clause by clause. It needs no configuration, no network and no keys.
#[derive(Debug, Parser)]
#[command(name = "tacit", version, max_term_width = 80, after_help = EXAMPLES)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Colour,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Test a runtime: play scenarios and random sessions, judge every clause
    Run(Box<RunArgs>),

    /// Find out in seconds whether an adapter works at all
    ///
    /// Starts the runtime, opens a session, prompts, searches, calls a tool, restarts. Tells an
    /// adapter that does not work from a runtime that does not conform.
    Smoke(SmokeArgs),

    /// Hold several runtimes against each other: a table, and for two the smallest session on
    /// which they differ
    ///
    /// Runs the same suite on each, with one seed. Two runtimes are then played side by side, until
    /// a session shows a difference: in what the model is shown, in what is run, in how a prompt
    /// ends, in the clauses that are kept. A mere difference is no failure.
    Compare(Box<CompareArgs>),

    /// Find out which revision of the contract a runtime really keeps to
    ///
    /// Runs the suite under each revision, names the one that fits best, and for the others the
    /// first clause in which the runtime differs. Ends with the exit code of the best fit.
    Revisions(Box<RevisionsArgs>),

    /// Play saved counterexamples again: still failing, or fixed?
    ///
    /// Each file is played on a new process of the runtime on which it was found, if it names the
    /// reference or a name of tacit.toml, unless `--runtime` says otherwise; a command is run only
    /// where `--runtime` gives it. Where neither `--profile` nor tacit.toml names a profile, a
    /// `.json` file is held to the one that it was found under.
    Replay(ReplayArgs),

    /// Judge recorded traffic, without a runtime
    ///
    /// Takes HAR files, logs of requests, traces of tacit's own, session files of pi and transcripts
    /// of Nib's sidecar, and says what they show: which clauses were kept, which were broken and
    /// where, and what a recording cannot show. Secrets are taken out before anything is kept or
    /// printed.
    Check(CheckArgs),

    /// Make reports again from the saved report or record of a run
    ///
    /// Takes what `tacit run --report json=FILE` or `--report ndjson=FILE` wrote; which of the two
    /// it is, the file tells. Of the record every other report can be made, as the run itself would
    /// have written it; a `json` report does not hold everything.
    ///
    /// Several files are the shards of one run (`tacit run --shard K/N`). They are put together, the
    /// clauses are judged by what all of them showed, and the exit code is that of the whole run.
    Report(ReportArgs),

    /// Tell what changed from one run to another
    ///
    /// Takes two files as `tacit run --report json=FILE` or `--report ndjson=FILE` wrote them: of one
    /// runtime at two times, of two runtimes, or under two revisions of the contract. Ends with 1
    /// where something got worse.
    Diff(DiffArgs),

    /// Put the checks to the test: is every known fault found?
    ///
    /// Plays scenarios and random sessions on the reference runtime with each of its faults, one
    /// at a time, until the clause that the fault is meant to break is broken; shrinks what shows
    /// it. Exits with 1 when a fault survives, a clause is proven by no fault, or a correct
    /// variant is blamed.
    Selftest(SelftestArgs),

    /// List what there is
    List(ListArgs),

    /// Explain a clause, a fault, a correct variant, a property, a scenario or a verdict
    Explain(ExplainArgs),

    /// Print the JSON Schema of a file or a message format
    Schema(SchemaArgs),

    /// Write a starter into the current folder: an adapter that works, its profile, a CI job
    ///
    /// The adapter runs as it stands, and does not conform: it sends every tool with every request.
    /// Your runtime goes in the place of its one class. Nothing that is there is written over.
    Init(InitArgs),

    /// Print a script that completes this command line in a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },

    /// Print the manual page, of tacit or of one of its commands
    Man {
        /// Which command
        command: Option<String>,
    },

    /// Be the reference runtime, behind the adapter protocol or that of Nib's sidecar
    ///
    /// Speaks JSON-RPC on standard input and output, as any adapter does:
    /// `tacit run --runtime 'stdio:tacit serve-reference'`.
    ServeReference(ServeArgs),
}

/// The arguments of `tacit smoke`.
#[derive(Debug, Args)]
pub struct SmokeArgs {
    /// The runtime.
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
}

/// The arguments of `tacit replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The files, `.json` or `.feature`, as a run leaves them in its corpus, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,

    /// The runtime. Without a profile, a file is held to the one that it was found under.
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// Write what was seen as well, a trace a line, for `tacit check`
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub traces: Option<PathBuf>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
}

/// The arguments of `tacit list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum)]
    pub what: Listed,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// What the contract asks
    Clauses,
    /// Sessions in words, each about one clause
    Scenarios,
    /// Kinds of random sessions
    Properties,
    /// What the reference runtime can be made to do wrong, and what is not tested
    Faults,
    /// What the reference runtime can be made to do otherwise and still conform
    Variants,
    /// The built-in profiles
    Profiles,
}

/// The arguments of `tacit explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A clause (`search.exact`), a fault (`no-cap`), a correct variant (`miss-is-error`), a
    /// property (`restarts`), a scenario by its title or place (`initial.feature:9`), or a verdict
    /// (`notExercised`)
    pub id: String,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// The arguments of `tacit schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which format
    #[arg(value_enum)]
    pub name: Schema,
}

/// What has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Schema {
    /// The messages of the adapter protocol, one schema for each
    Protocol,
    /// The JSON report of a run
    Report,
    /// One line of the NDJSON record of a run
    Event,
    /// A saved session, as it stands in the corpus
    Session,
    /// A trace: all that was seen of a session, as `check` reads it
    Trace,
    /// What `selftest` prints as JSON
    Selftest,
    /// What `tacit compare --format json` prints
    Comparison,
    /// What `tacit diff --format json` prints
    Diff,
    /// What `tacit revisions --format json` prints
    Revisions,
}

/// The arguments of `tacit init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// What your adapter is to be written in
    #[arg(value_enum)]
    pub language: Language,
}

/// A language that there is a starter for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, in the tests of your crate
    Rust,
    /// Python 3, without a package
    Python,
    /// JavaScript for Node, without a package
    Node,
}

/// The arguments of `tacit serve-reference`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The text of the contract that it keeps to: r1, r2 or r3
    #[arg(long, value_name = "REVISION", default_value = "r3")]
    pub revision: Revision,

    /// A fault or a correct variant that it has; repeat it for several
    #[arg(long, value_name = "KEY")]
    pub fault: Vec<String>,

    /// What it speaks
    #[arg(long, value_enum, default_value_t = Speaks::Adapter)]
    pub protocol: Speaks,

    /// How it spells its own tools behind Nib's protocol: `0.10.0`, as that version did, or
    /// `lower-case`, as later ones do
    #[arg(long, value_name = "SPELLING", default_value = "0.10.0")]
    pub names: Spelling,
}

/// What the reference can speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Speaks {
    /// The adapter protocol
    Adapter,
    /// The protocol of Nib's sidecar
    Nib,
}

/// How something is printed that may stand in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DocumentFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For a document, or a pull request
    Markdown,
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}
