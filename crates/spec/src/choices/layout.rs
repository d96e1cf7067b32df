//! A layout overrides parts of the file: armies, directions, the turn order and lists of squares.

use jsonc_parser::ast::{Object, ObjectProp, Value as Json};

use super::options::{member, members};

/// Applies the named layout to the file. Names that do not fit are ignored here; the checks report them.
pub(super) fn apply(json: &mut Json<'_>, name: &str) {
    let Some(layout) = members(json, "layouts").iter().find(|layout| layout.name.as_str() == name) else {
        return;
    };
    let layout = layout.value.clone();
    let turns = member_property(&layout, "turns").cloned();
    for player in members(&layout, "players") {
        let Some(there) = named(json, "players", "name", player.name.as_str()) else { continue };
        for key in ["direction", "starting_positions"] {
            put(there, member_property(&player.value, key).cloned());
        }
    }
    for condition in members(&layout, "conditions") {
        let Some(there) = named(json, "conditions", "code", condition.name.as_str()) else { continue };
        let check = there.properties.iter_mut().find(|property| property.name.as_str() == "check");
        let (Some(Json::Object(check)), Json::Object(lists)) =
            (check.map(|check| &mut check.value), &condition.value)
        else {
            continue;
        };
        lists.properties.iter().for_each(|list| put(check, Some(list.clone())));
    }
    if let Json::Object(root) = json {
        put(root, turns);
    }
}

fn member_property<'j, 'a>(json: &'j Json<'a>, key: &str) -> Option<&'j ObjectProp<'a>> {
    let Json::Object(object) = json else { return None };
    object.properties.iter().find(|property| property.name.as_str() == key)
}

/// Finds the object with this name in a list.
fn named<'j, 'a>(json: &'j mut Json<'a>, list: &str, key: &str, name: &str) -> Option<&'j mut Object<'a>> {
    let Json::Object(root) = json else { return None };
    let list = root.properties.iter_mut().find(|property| property.name.as_str() == list)?;
    let Json::Array(list) = &mut list.value else { return None };
    list.elements.iter_mut().find_map(|element| {
        let is_meant = matches!(member(element, key), Some(Json::StringLit(text)) if *text.value == *name);
        match element {
            Json::Object(object) if is_meant => Some(object),
            _ => None,
        }
    })
}

/// Replaces the property of the same name, or appends the property.
fn put<'a>(object: &mut Object<'a>, property: Option<ObjectProp<'a>>) {
    let Some(property) = property else { return };
    let there = object.properties.iter_mut().find(|there| there.name.as_str() == property.name.as_str());
    match there {
        Some(there) => *there = property,
        None => object.properties.push(property),
    }
}
