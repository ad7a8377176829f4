//! The regions and values of the last frame. A frame draws and computes only what changed since.

use std::any::Any;
use std::cell::RefCell;
use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use rustc_hash::FxBuildHasher;

/// Values that were computed for earlier frames, newest first.
#[derive(Debug, Default)]
pub(super) struct ValueCache {
    values: RefCell<Vec<CachedValue>>,
}

#[derive(Debug)]
struct CachedValue {
    /// A hash of all data that the value was computed from.
    key: u64,
    value: Arc<dyn Any + Send + Sync>,
}

impl ValueCache {
    /// Returns the value of this type with this key, or computes and stores it.
    ///
    /// The cache keeps at most `limit` values of each type and drops the oldest one first.
    pub(super) fn get_or_compute<T: Any + Send + Sync>(
        &self,
        limit: usize,
        key: impl Hash,
        compute: impl FnOnce() -> T,
    ) -> Arc<T> {
        let key = FxBuildHasher.hash_one(key);
        if let Some(value) = self.get(key) {
            return value;
        }

        // The computation may use the cache, so the cache is not borrowed while it runs.
        let value = Arc::new(compute());
        self.insert(limit, key, Arc::clone(&value));
        value
    }

    fn get<T: Any + Send + Sync>(&self, key: u64) -> Option<Arc<T>> {
        let values = self.values.borrow();
        values
            .iter()
            .filter(|cached| cached.key == key)
            .find_map(|cached| Arc::clone(&cached.value).downcast::<T>().ok())
    }

    fn insert<T: Any + Send + Sync>(&self, limit: usize, key: u64, value: Arc<T>) {
        let mut values = self.values.borrow_mut();
        let mut older_values = limit.saturating_sub(1);
        values.retain(|cached| {
            if !(*cached.value).is::<T>() {
                return true;
            }
            let has_room = older_values > 0;
            older_values = older_values.saturating_sub(1);
            has_room
        });
        values.insert(0, CachedValue { key, value });
    }
}

/// The state of the last frame. A region is drawn again only if its key changed, because most inputs change one or two
/// lines.
#[derive(Debug, Default)]
pub(crate) struct FrameCache {
    /// A hash of the theme and the layout. If it changes, the whole cache is invalid.
    base_key: u64,
    /// The filter of the tab, whose words are highlighted over the regions.
    filter: String,
    regions: Vec<CachedRegion>,
    /// The bars that the last frame drew over the regions, with the cells behind them.
    pub(super) bars: Vec<CoveredCells>,
    /// The tab below the open dialog, as the regions were drawn. `None` while no dialog is open.
    pub(super) tab_below: Option<Box<Buffer>>,
    pub(super) values: ValueCache,
}

/// Cells that something is drawn over, as the regions drew them.
#[derive(Debug)]
pub(super) struct CoveredCells {
    pub(super) area: Rect,
    pub(super) cells: Vec<Cell>,
}

#[derive(Debug, PartialEq, Eq)]
struct CachedRegion {
    area: Rect,
    /// A hash of all data that the region was drawn from.
    key: u64,
}

impl FrameCache {
    /// Makes the next frame draw and compute everything.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Makes the next frame draw everything. Computed values stay.
    pub(super) fn redraw_all(&mut self) {
        self.regions.clear();
        self.bars.clear();
    }

    /// Sets the key of the theme and the layout, and clears the cache if that key changed.
    pub(super) fn set_base(&mut self, key: impl Hash) {
        let base_key = FxBuildHasher.hash_one(key);
        if self.base_key != base_key {
            self.forget();
        }
        self.base_key = base_key;
    }

    /// Sets the filter of the tab. If it changed, the next frame draws everything.
    pub(super) fn set_filter(&mut self, filter: &str) {
        if self.filter != filter {
            self.redraw_all();
            filter.clone_into(&mut self.filter);
        }
    }

    /// Sets the key of a region. Returns true if the region must be drawn, and with it all regions inside it.
    pub(super) fn update_region(&mut self, area: Rect, key: u64) -> bool {
        let region = CachedRegion { area, key };
        if self.regions.contains(&region) {
            return false;
        }

        self.regions
            .retain(|known| known.area.intersection(area) != known.area);
        self.regions.push(region);
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }
}
