//! Labels of the registry and of the mode a session begins in.

use tacit_contract::{Mode, OriginKind, Session, Standing, ToolSpec};

use super::Found;
use crate::hostile::{is_hostile_name, is_hostile_text};
use crate::setting::RESERVED;
use crate::universe::find;

pub(super) fn look(session: &Session, found: &mut Found) {
    let deferred: Vec<&ToolSpec> = session
        .tools
        .iter()
        .filter(|tool| tool.modes.get(&session.mode) == Some(&Standing::Deferred))
        .collect();
    let bulk = session.bulk.count;
    found.add_if(deferred.is_empty() && bulk == 0, "no deferred tool");
    if let ([only], 0) = (deferred.as_slice(), bulk) {
        found.add(match only.origin.kind {
            OriginKind::Builtin => "one deferred tool: builtin",
            OriginKind::Plugin => "one deferred tool: plugin",
            OriginKind::Skill => "one deferred tool: skill",
            OriginKind::Devkit => "one deferred tool: devkit",
        });
    }
    let forbidden = |tool: &ToolSpec| !tool.modes.contains_key(&session.mode);
    found.add_if(session.tools.iter().any(forbidden), "tool that another mode forbids");
    found.add_if(bulk > 0, "bulk");
    found.add_if(bulk > 80, "bulk over 80");
    found.add_if(bulk > 1000, "bulk over 1000");
    found.add_if(session.bulk.description > 1000 && bulk > 0, "description of thousands");
    found.add_if(session.mode != Mode::Agent, "begins in another mode than agent");
    for (index, tool) in session.tools.iter().enumerate() {
        let name = tool.name.as_str();
        found.add_if(is_hostile_name(name), "hostile name");
        found.add_if(RESERVED.contains(&name), "reserved name");
        let same = |other: &ToolSpec| other.name == tool.name;
        found.add_if(session.tools[..index].iter().any(same), "name of two plugins");
        let own = find(name).is_some_and(|entry| entry.description == tool.description);
        found.add_if(!own && is_hostile_text(&tool.description), "hostile description");
        found.add_if(tool.description.len() > 1000, "description of thousands");
    }
}
