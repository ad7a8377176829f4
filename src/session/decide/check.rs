//! Making a check: walking it, waiting where somebody has to answer, booking what follows.

use crate::dice::{Dice, Face};
use crate::rules::{Ask, ChosenBy, Dealer, Stand, resolve};
use crate::session::{
    Change, Event, Faces, Refusal, Roll, RollCommand, Session, Unfinished, UnfinishedId, What, Who,
};

impl Session {
    pub(super) fn decide_roll(
        &self,
        command: &RollCommand,
        dice: &mut dyn Dice,
    ) -> Result<Event, Refusal> {
        let mut fields = command.fields.clone();
        fields.decide(&self.house);
        fields.complete()?;
        let (who, id) = match command.who {
            Who::Character(id) => (self.known_character(id)?.name.clone(), Some(id)),
            Who::Nobody => (String::new(), None),
        };
        let spec = fields.spec();
        let given = fields.iter().filter_map(|(field, value)| {
            let value = value?;
            let differs = field.preset_value().as_ref() != Some(value);
            let sourced = command.sources.iter().any(|(name, _)| name == field.id);
            (differs || sourced).then(|| (field.id.to_owned(), value.recorded()))
        });
        let helpers = command.helpers.iter();
        let helpers: Result<Vec<String>, Refusal> = helpers
            .map(|&helper| Ok(self.known_character(helper)?.name.clone()))
            .collect();
        let roll = Roll {
            who,
            id,
            check: spec.id.to_owned(),
            fields: given.collect(),
            sources: command.sources.clone(),
            house: self.house.clone(),
            trail: Vec::new(),
            clock: command.clock,
            helpers: helpers?,
            hidden_from: command.hidden_from.clone(),
            total: None,
            outcome: String::new(),
            luck: None,
            effects: Vec::new(),
        };
        self.may_be_tried(&roll, &fields)?;
        let mut dealer = dealer(&command.faces, dice);
        dealer.answers = command.choose.iter().cloned().collect();
        dealer.by = command.by;
        dealer.defaults = !command.wait;
        self.walk_on(roll, &mut dealer, None)
    }

    pub(super) fn decide_answer(
        &self,
        id: UnfinishedId,
        chose: &str,
        by: ChosenBy,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event, Refusal> {
        let waiting = self.unfinished(id).ok_or(Refusal::Gone("check"))?;
        let mut dealer = dealer(faces, dice);
        // Dice typed by hand go on by hand: no faces given means that they are asked for.
        dealer.answers = [chose.to_owned()].into();
        dealer.by = by;
        self.walk_on(waiting.roll.clone(), &mut dealer, Some(waiting))
    }

    pub(super) fn decide_faces(
        &self,
        id: UnfinishedId,
        faces: &[Face],
        dice: &mut dyn Dice,
    ) -> Result<Event, Refusal> {
        let waiting = self.unfinished(id).ok_or(Refusal::Gone("check"))?;
        let mut dealer = dealer(&Faces::Typed(faces.to_vec()), dice);
        self.walk_on(waiting.roll.clone(), &mut dealer, Some(waiting))
    }

    pub(super) fn decide_abandon(&self, id: UnfinishedId) -> Result<Event, Refusal> {
        let waiting = self.unfinished(id).ok_or(Refusal::Gone("check"))?;
        Ok(Event {
            what: What::Abandoned(Box::new(waiting.roll.clone())),
            changes: vec![Change::Waiting {
                id,
                from: Some(Box::new(waiting.clone())),
                to: None,
            }],
        })
    }

    fn walk_on(
        &self,
        mut roll: Roll,
        dealer: &mut Dealer<'_>,
        waiting: Option<&Unfinished>,
    ) -> Result<Event, Refusal> {
        let machine = roll.machine(self.system)?;
        let stand = resolve(&*machine, &mut roll.trail, dealer)?;
        let id = waiting.map_or(UnfinishedId(self.next_id), |waiting| waiting.id);
        let from = waiting.cloned().map(Box::new);
        if let Stand::Waits(_) = stand {
            let to = Unfinished {
                id,
                roll: roll.clone(),
            };
            return Ok(Event {
                what: What::Begun(Box::new(roll)),
                changes: vec![Change::Waiting {
                    id,
                    from,
                    to: Some(Box::new(to)),
                }],
            });
        }
        let outcome = machine.outcome(&roll.trail);
        let levels = match machine.after(&roll.trail)? {
            Ask::Done(_, tally) => tally.levels,
            Ask::Roll { .. } | Ask::Choose { .. } => 0,
        };
        let mut changes = Vec::new();
        if from.is_some() {
            changes.push(Change::Waiting { id, from, to: None });
        }
        let follows = self.what_follows(&roll, &outcome, levels)?;
        changes.extend(follows.changes);
        roll.total = outcome.total;
        let word = roll.spec(self.system)?.outcome(outcome.outcome).id;
        word.clone_into(&mut roll.outcome);
        roll.luck = roll.derive_luck(self.system)?;
        roll.effects = follows.effects;
        Ok(Event {
            what: What::Rolled(Box::new(roll)),
            changes,
        })
    }
}

fn dealer<'a>(faces: &Faces, dice: &'a mut dyn Dice) -> Dealer<'a> {
    match faces {
        Faces::Rolled => Dealer::rolling(dice),
        Faces::Typed(faces) => Dealer::by_hand(faces),
    }
}
