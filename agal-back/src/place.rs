//! Assigns each web a component of a temporary.
//!
//! Webs that one token writes, or that one operand reads, must lie in one register, and the rows of a matrix in consecutive
//! registers. Webs that are bound in this way form a *cluster*. Texture lookups, matrix products, `nrm`, `crs` and reads of
//! matrix rows fix the components of their webs. The components of all other webs are free, because swizzles and masks reach
//! every component. The clusters are placed one at a time. A cluster gets the lowest registers in which no live range of its webs
//! overlaps the live range of a web placed earlier. Finding the best order is computationally hard, so only a few orders are
//! tried, and the best result is used.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use agal_front::opcode::Meaning;
use agal_front::register::File;

use crate::code::{Code, Inst, Lane, Target, Web};
use crate::live::{Spans, Webs, conflicts};

#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    of: BTreeMap<Web, (u32, u8)>,
    pub(crate) registers: u32,
}

impl Places {
    pub(crate) fn of(&self, web: Web) -> Option<(u32, u8)> {
        self.of.get(&web).copied()
    }
}

/// A register limit above the limit of every AGAL version, used to count the registers that a program needs.
const MOST: u32 = 64;
/// The maximum number of component assignments tried for a cluster at one register.
const TRIES: u32 = 600;

/// The clusters of webs, as a union-find forest: `parents` contains each web's parent and the distance from the parent's register
/// to the web's register.
struct Clusters {
    parents: Vec<(Web, i32)>,
    components: Vec<Option<u8>>,
    is_possible: bool,
    /// A web in the first computed row of each matrix, and the number of registers from that row to the matrix's last row,
    /// inclusive.
    reach: Vec<(Web, i32)>,
}

impl Clusters {
    fn root(&self, web: Web) -> (Web, i32) {
        let (mut web, mut offset) = (web, 0);
        while let Some(&(parent, more)) = self.parents.get(web as usize).filter(|(parent, _)| *parent != web) {
            (web, offset) = (parent, offset + more);
        }
        (web, offset)
    }

    /// Requires the register number of `web` to exceed the register number of `first` by `after`.
    fn join(&mut self, first: Web, web: Web, after: i32) {
        let ((root, of_first), (other, of_web)) = (self.root(first), self.root(web));
        if root == other {
            self.is_possible &= of_first + after == of_web;
        } else if let Some(place) = self.parents.get_mut(other as usize) {
            *place = (root, of_first + after - of_web);
        }
    }

    fn fix(&mut self, web: Web, component: u8) {
        if let Some(held) = self.components.get_mut(web as usize) {
            self.is_possible &= held.is_none_or(|held| held == component);
            *held = Some(component);
        }
    }

    fn of(code: &Code) -> Clusters {
        let mut clusters = Clusters {
            parents: (0..code.webs).map(|web| (web, 0)).collect(),
            components: vec![None; code.webs as usize],
            is_possible: true,
            reach: Vec::new(),
        };
        code.insts.iter().for_each(|inst| clusters.add(inst));
        clusters
    }

    fn add(&mut self, inst: &Inst) {
        if inst.target == Target::Webs {
            let mut written = inst.written();
            if let Some(first) = written.next() {
                written.for_each(|web| self.join(first, web, 0));
            }
            if inst.has_places() {
                inst.parts.iter().for_each(|part| self.fix(part.web, part.component));
            }
        }
        let [a, b] = &inst.sources;
        let together = |clusters: &mut Clusters, lanes: &[Lane]| {
            if let Some((&Lane::Web(first), rest)) = lanes.split_first() {
                rest.iter().for_each(|lane| {
                    if let Lane::Web(web) = *lane {
                        clusters.join(first, web, 0)
                    }
                });
            }
        };
        together(self, a);
        if let Meaning::Matrix { width, rows } = inst.meaning() {
            let mut first = None;
            for (row, part) in b.chunks(usize::from(width)).zip(&inst.parts) {
                together(self, row);
                for (lane, component) in row.iter().zip(0u8..) {
                    let Lane::Web(web) = *lane else { continue };
                    self.fix(web, component);
                    if first.is_none() {
                        self.reach.push((web, i32::from(rows) - i32::from(part.component)));
                    }
                    let (to, at) = *first.get_or_insert((web, part.component));
                    self.join(to, web, i32::from(part.component) - i32::from(at));
                }
            }
        } else {
            together(self, b);
        }
    }
}

/// A web of a cluster, with its register relative to the cluster's first register, and its component if the component is fixed.
#[derive(Clone, Copy)]
struct Member {
    web: Web,
    register: u32,
    component: Option<u8>,
}

struct Cluster {
    members: Vec<Member>,
    registers: u32,
    /// The number of registers, used or unused, from the cluster's first register through the last row of its matrices; 0 if the
    /// cluster has no matrix.
    reach: u32,
}

fn clusters(code: &Code) -> Option<Vec<Cluster>> {
    let clusters = Clusters::of(code);
    if !clusters.is_possible {
        return None;
    }
    let mut order = Vec::new();
    let mut members: BTreeMap<Web, Vec<(Web, i32)>> = BTreeMap::new();
    let mut seen = Webs::none(code.webs);
    for web in code.insts.iter().flat_map(|inst| inst.written().chain(inst.read())) {
        if seen.has(web) {
            continue;
        }
        seen.insert(web);
        let (root, offset) = clusters.root(web);
        let of_root = members.entry(root).or_default();
        if of_root.is_empty() {
            order.push(root);
        }
        of_root.push((web, offset));
    }
    let mut all = Vec::new();
    for root in order {
        let webs = members.get(&root)?;
        let first = webs.iter().map(|(_, offset)| *offset).min()?;
        let mut of_cluster = Vec::new();
        for &(web, offset) in webs {
            let component = clusters.components.get(web as usize).copied().flatten();
            of_cluster.push(Member { web, register: u32::try_from(offset - first).ok()?, component });
        }
        // Webs with a fixed component come first, and all other webs use the remaining components.
        of_cluster.sort_by_key(|member| member.component.is_none());
        let registers = of_cluster.iter().map(|member| member.register + 1).max()?;
        let reach = clusters.reach.iter().filter_map(|&(web, reach)| {
            let (of, offset) = clusters.root(web);
            (of == root).then(|| u32::try_from(offset - first + reach).ok())?
        });
        let reach = reach.max().unwrap_or(0);
        all.push(Cluster { members: of_cluster, registers, reach });
    }
    Some(all)
}

/// Places each web in one of the first `limit` registers, or returns `None` if none of the orders tried allows a placement.
pub(crate) fn places(code: &Code, limit: u32) -> Option<Places> {
    Orders::of(code)?.placements(limit, ORDERS[0]).next()
}

/// Returns the placements for several orders of components, in ascending order of the number of registers.
pub(crate) fn all_places(code: &Code, limit: u32, components: &[[u8; 4]]) -> Vec<Places> {
    let Some(orders) = Orders::of(code) else { return Vec::new() };
    let mut all: Vec<Places> = components.iter().flat_map(|&order| orders.placements(limit, order)).collect();
    all.sort_by_key(|places| places.registers);
    all
}

/// The orders in which the components of a register are tried.
pub(crate) const ORDERS: [[u8; 4]; 3] = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 0, 3]];
/// Further orders of components, for programs in which every order of [`ORDERS`] produces swizzles that look like mistakes.
pub(crate) const FURTHER: [[u8; 4]; 8] =
    [[0, 2, 1, 3], [0, 1, 3, 2], [1, 0, 2, 3], [2, 0, 1, 3], [2, 1, 0, 3], [0, 3, 1, 2], [3, 0, 1, 2], [1, 3, 0, 2]];

struct Orders<'c> {
    code: &'c Code,
    clusters: Vec<Cluster>,
    spans: Spans,
    most: u32,
}

impl<'c> Orders<'c> {
    fn of(code: &'c Code) -> Option<Orders<'c>> {
        let clusters = clusters(code)?;
        Some(Orders { code, clusters, spans: Spans::of(code), most: File::Temporary.count(code.stage, code.version) })
    }

    /// Returns the placements for one order of components, at most one for each order of the clusters.
    fn placements(&self, limit: u32, components: [u8; 4]) -> impl Iterator<Item = Places> {
        (0..3).filter_map(move |way| {
            let mut clusters: Vec<&Cluster> = self.clusters.iter().collect();
            match way {
                0 => clusters.sort_by_key(|cluster| Reverse((cluster.registers, cluster.members.len()))),
                1 => {
                    let conflicts = conflicts(self.code);
                    let count = |member: &Member| conflicts.get(member.web as usize).map_or(0, Webs::count);
                    let all = |cluster: &Cluster| cluster.members.iter().map(count).sum::<u32>();
                    clusters.sort_by_cached_key(|cluster| Reverse((cluster.registers, all(cluster))));
                }
                _ => {}
            }
            self.place(&clusters, limit, components)
        })
    }

    fn place(&self, clusters: &[&Cluster], limit: u32, components: [u8; 4]) -> Option<Places> {
        let mut board = Board { held: Vec::new(), spans: &self.spans, tries: 0, components };
        let mut places = Places::default();
        for cluster in clusters {
            let last = limit.checked_sub(cluster.registers)?.min(self.most.max(limit).checked_sub(cluster.reach)?);
            let mut found = Vec::new();
            let base = (0..=last).find(|&base| {
                board.tries = TRIES;
                found.clear();
                board.place(&cluster.members, base, &mut found)
            })?;
            places.registers = places.registers.max(base + cluster.registers);
            places.of.extend(found.iter().map(|&(web, register, component)| (web, (register, component))));
        }
        Some(places)
    }
}

/// Returns the number of registers that the code needs in the best order tried, or `None` if none of the orders tried allows a
/// placement.
pub(crate) fn needed(code: &Code) -> Option<u32> {
    Orders::of(code)?.placements(MOST, ORDERS[0]).map(|places| places.registers).min()
}

/// The register components that the webs placed so far occupy.
struct Board<'a> {
    /// A bit set for each register component: the instructions at which a web occupies the component.
    held: Vec<u64>,
    spans: &'a Spans,
    tries: u32,
    components: [u8; 4],
}

impl Board<'_> {
    /// Returns the words of a register component's bit set that correspond to `words` in a web's bit set.
    fn cell(&mut self, register: u32, component: u8, (first, words): (usize, &[u64])) -> Option<&mut [u64]> {
        let width = self.spans.width();
        let start = (register as usize * 4 + usize::from(component)) * width;
        if self.held.len() < start + width {
            self.held.resize((register as usize + 1) * 4 * width, 0);
        }
        self.held.get_mut(start + first..start + first + words.len())
    }

    /// Places the members of a cluster, with `base` as the cluster's first register. If a member cannot be placed, removes the
    /// members that were already placed and returns false.
    fn place(&mut self, members: &[Member], base: u32, found: &mut Vec<(Web, u32, u8)>) -> bool {
        let Some((member, rest)) = members.split_first() else { return true };
        let register = base + member.register;
        let spans = self.spans;
        let span = spans.of_web(member.web);
        for component in self.components.into_iter().filter(|&at| member.component.is_none_or(|only| only == at)) {
            self.tries = self.tries.saturating_sub(1);
            let is_over = self.tries == 0;
            let Some(cell) = self.cell(register, component, span) else { return false };
            if is_over || cell.iter().zip(span.1).any(|(held, word)| held & word != 0) {
                continue;
            }
            cell.iter_mut().zip(span.1).for_each(|(held, word)| *held |= word);
            found.push((member.web, register, component));
            if self.place(rest, base, found) {
                return true;
            }
            found.pop();
            if let Some(cell) = self.cell(register, component, span) {
                cell.iter_mut().zip(span.1).for_each(|(held, word)| *held &= !word);
            }
        }
        false
    }
}
