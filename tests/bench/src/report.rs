//! The figures as tables.

use std::time::Duration;

use crate::measure::{Figures, Run};

/// A table of figures, and what they were measured on.
pub(crate) struct Report {
    conditions: String,
    /// The first is the heading.
    rows: Vec<(&'static str, Vec<String>)>,
    way: String,
}

impl Report {
    /// The medians over all runs; the empty function comes first.
    pub(crate) fn new(figures: &[Figures], ways: &[Duration], (runs, calls): (u32, u32)) -> Self {
        let mut rows = Vec::new();
        let mut row = |name, figure: &dyn Fn(&Figures) -> String| {
            rows.push((name, figures.iter().map(figure).collect()));
        };
        row("", &|f| f.name.to_owned());
        let empty = &figures[0];
        let first = |figures: &Figures| median(figures, |run| millis(run.first));
        let cpu = |figures: &Figures| median(figures, |run| millis(run.cpu_to_first));
        row("init, ms", &|f| two(median(f, |run| millis(run.init))));
        row("first answer, ms", &|f| two(first(f)));
        row("… above the empty function's", &|f| {
            two(first(f) - first(empty))
        });
        row("CPU to first answer, ms", &|f| two(cpu(f)));
        row("… times the empty function's", &|f| {
            two(cpu(f) / cpu(empty))
        });
        row("warm p50, ms", &|f| {
            two(median(f, |run| millis(percentile(&run.warm, 50))))
        });
        row("warm p99, ms", &|f| {
            two(median(f, |run| millis(percentile(&run.warm, 99))))
        });
        row("CPU per warm call, ms", &|f| {
            two(median(f, |run| millis(run.cpu_per_call)))
        });
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        row("peak memory, MB", &|f| {
            two(median(f, |run| run.peak_memory as f64 / 1024.0))
        });
        row("binary, MB", &|f| two(megabytes(f.size)));
        row("package, MB", &|f| two(megabytes(f.package)));

        let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
        let conditions = format!(
            "{date}, {}. Medians of {runs} interleaved runs with {calls} warm calls each, over TLS on loopback.",
            machine()
        );
        let way = format!(
            "From POST to the card in the chat, {} leads one after another through the local cloud: p50 {:.1} ms, p99 {:.1} ms.",
            ways.len(),
            millis(percentile(ways, 50)),
            millis(percentile(ways, 99))
        );
        Self {
            conditions,
            rows,
            way,
        }
    }

    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let wide = |cells: &[String]| -> String {
            let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>10}")).collect();
            cells.concat()
        };
        let line = |(name, values): &(_, Vec<_>)| format!("{name:32}{}", wide(values));
        let rows: Vec<_> = self.rows.iter().map(line).collect();
        let Self {
            conditions, way, ..
        } = self;
        format!("{conditions}\n\n{}\n\n{way}", rows.join("\n"))
    }

    /// For the docs.
    pub(crate) fn markdown(&self) -> String {
        let line = |(name, values): &(_, Vec<_>)| format!("| {name} | {} |", values.join(" | "));
        let mut rows: Vec<_> = self.rows.iter().map(line).collect();
        let columns = self.rows.first().map_or(0, |(_, values)| values.len());
        rows.insert(1, format!("|---{}|", "|---:".repeat(columns)));
        let Self {
            conditions, way, ..
        } = self;
        format!("{conditions}\n\n{}\n\n{way}\n", rows.join("\n"))
    }
}

/// The processors of this machine.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| {
        let (name, model) = line.split_once(':')?;
        (name.trim() == "model name").then(|| model.trim())
    });
    format!("{cores} cores of {}", model.unwrap_or("an unknown model"))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / (1024.0 * 1024.0)
}

fn two(figure: f64) -> String {
    format!("{figure:.2}")
}

fn median(figures: &Figures, figure: impl Fn(&Run) -> f64) -> f64 {
    let mut all: Vec<_> = figures.runs.iter().map(figure).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// The smallest of `sorted` that at least so many per cent do not exceed.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() {
        let sorted: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&sorted, 50), Duration::from_millis(50));
        assert_eq!(percentile(&sorted, 99), Duration::from_millis(99));
        assert_eq!(percentile(&sorted[..1], 99), Duration::from_millis(1));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }
}
