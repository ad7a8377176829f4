//! Saved games in PostgreSQL. The modules beside this file are still compiled by `tableside-store`.
