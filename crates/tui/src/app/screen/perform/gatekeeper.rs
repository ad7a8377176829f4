//! Admitting players to the table, removing them, and the address of the page for browsers.

use crate::Screen;
use crate::dialog::{SeatRequest, invitation_dialog};
use tableside_table::{Invited, SeatRole};

impl Screen {
    /// Invites a player, or removes a seat or revokes its keys.
    pub(super) fn act_as_gatekeeper(&mut self, act: SeatRequest) {
        let result = self.try_act_as_gatekeeper(act);
        self.refresh();
        match result {
            Ok(invitation) => self.with_view(|state, view| {
                state.close_dialog(view);
                if let Some((invitation, role)) = invitation {
                    state.open(invitation_dialog(&invitation, role, view));
                }
            }),
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Returns the invitation and the role of an invited player, and `None` after other acts.
    fn try_act_as_gatekeeper(
        &self,
        act: SeatRequest,
    ) -> Result<Option<(Invited, SeatRole)>, String> {
        let gatekeeper = self.table.gatekeeper(&self.setup.seat)?;
        match act {
            SeatRequest::Invite { name, role } => {
                let invitation = gatekeeper.invite(&name, role)?;
                Ok(Some((invitation, role)))
            }
            SeatRequest::Revoke(seat) => {
                gatekeeper.revoke(seat)?;
                Ok(None)
            }
            SeatRequest::Dismiss(seat) => {
                gatekeeper.dismiss(seat)?;
                Ok(None)
            }
        }
    }

    /// Gives the page for browsers a new address.
    pub(super) fn renew_page(&mut self) {
        let renewed = match self.read_view(|view| view.page()) {
            Some(page) => page.renew(),
            None => Err("the page is not open".to_owned()),
        };
        match renewed {
            Ok(address) => self.with_view(|state, view| {
                state.close_dialog(view);
                let message = format!("The page is now at {address}");
                state.inform(message);
            }),
            Err(reason) => self.refuse(&reason),
        }
    }
}
