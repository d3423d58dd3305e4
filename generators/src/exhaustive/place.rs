//! Where a session stands, and which letters say something there.
//!
//! A letter that is left out loses nothing: the session with it is one that is played anyway.
//! Why, stands beside each.

use tacit_contract::{Mode, ProviderKind};

use super::letter::{Answer, Letter, Restart};
use super::world::{Plugin, Tool, World};

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    phase: Phase,
    mode: Mode,
    provider: ProviderKind,
    /// Which plugins are gone.
    gone: [bool; Plugin::ALL.len()],
    /// How many prompts can be taken back.
    prompts: u32,
    /// Whether the first of the two tools that are alike was named.
    named: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    /// Nothing was played yet.
    Seeding,
    /// A prompt is written, and what is said next belongs to it.
    Prompting,
    /// Between prompts.
    Between,
}

impl Place {
    /// The beginning of a session in a mode.
    pub(super) fn beginning(mode: Mode, world: &World) -> Self {
        Self {
            phase: Phase::Seeding,
            mode,
            provider: world.provider(),
            gone: [false; Plugin::ALL.len()],
            prompts: 0,
            named: false,
        }
    }

    /// Where the session stands after a letter; `None` where the letter is left out here.
    pub(super) fn after(self, letter: Letter, world: &World) -> Option<Self> {
        let mut next = self.acted(letter, world)?;
        match letter.tool() {
            // The two are alike but for their names. Of two sessions that differ in which is
            // which, the one that names the first one first is played for both.
            Some(Tool::Second) if !self.named => return None,
            Some(Tool::First) => next.named = true,
            _ => {}
        }
        Some(next)
    }

    fn acted(mut self, letter: Letter, world: &World) -> Option<Self> {
        let setting = &world.setting;
        let applies = match letter {
            // A seed counts only before all else, and where there is a way in for it.
            Letter::Seed(_) => {
                return (self.phase == Phase::Seeding && setting.transcript).then_some(self);
            }
            Letter::Prompt => {
                self.phase = Phase::Prompting;
                self.prompts += 1;
                return Some(self);
            }
            // Outside of a prompt nobody asks the model or its provider.
            Letter::Answer(answer) => {
                return (self.phase == Phase::Prompting && self.can_say(answer, world))
                    .then_some(self);
            }
            Letter::Fail(_) => return (self.phase == Phase::Prompting).then_some(self),
            // What the script holds after the user stopped the prompt is never played, so the
            // prompt is over with it.
            Letter::Abort => self.phase == Phase::Prompting && setting.abort,
            Letter::Restart(how) => how != Restart::Rows || setting.transcript,
            // Without a prompt there is no earlier state.
            Letter::Branch => match self.prompts.checked_sub(1) {
                Some(prompts) => {
                    self.prompts = prompts;
                    true
                }
                None => false,
            },
            Letter::Compact => setting.compact,
            // A mode that is set already does not change.
            Letter::SetMode(mode) => {
                let changes = setting.set_mode && setting.modes.contains(&mode);
                changes && std::mem::replace(&mut self.mode, mode) != mode
            }
            // A plugin goes where it is there, and comes where it is gone.
            Letter::Unplug(plugin) => {
                setting.set_tools && !std::mem::replace(self.gone_mut(plugin), true)
            }
            Letter::Plug(plugin) => {
                setting.set_tools && std::mem::replace(self.gone_mut(plugin), false)
            }
            Letter::Elsewhere => true,
            // There must be such another provider.
            Letter::Switch(to) => {
                self.provider = to.than(self.provider, &world.kinds)?;
                true
            }
        };
        self.phase = Phase::Between;
        applies.then_some(self)
    }

    /// Whether the runtime has what the answer calls; else there is no such answer.
    fn can_say(self, answer: Answer, world: &World) -> bool {
        match answer {
            Answer::Read => world.reads.contains(&self.mode),
            Answer::NewContext => world.setting.new_context,
            Answer::Search(_)
            | Answer::SearchWide
            | Answer::SearchMiss
            | Answer::Use(..)
            | Answer::SearchAndUse(_) => true,
        }
    }

    fn gone_mut(&mut self, plugin: Plugin) -> &mut bool {
        let [of_two, of_one] = &mut self.gone;
        match plugin {
            Plugin::OfTwo => of_two,
            Plugin::OfOne => of_one,
        }
    }
}
