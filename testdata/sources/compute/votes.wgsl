// Every atomic function of WGSL, on storage buffers and workgroup variables, with results that do not depend on the order.

struct Extremes {
    lowest: atomic<i32>,
    highest: atomic<i32>,
    weight: f32,
    total: atomic<i32>,
    corners: array<vec2<i32>, 2>,
}

struct Ballot {
    marks: array<atomic<u32>, 8>,
    winner: atomic<i32>,
    mask: atomic<u32>,
}

@group(0) @binding(0) var<storage, read_write> extremes: Extremes;
@group(0) @binding(1) var<storage, read> given: array<i32>;
@group(0) @binding(2) var<storage, read_write> masks: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> swapped: array<vec2<u32>>;
var<workgroup> ballot: Ballot;
var<workgroup> voters: atomic<u32>;

fn vote(number: i32) {
    let mark = u32(number) % 8u;
    atomicAdd(&ballot.marks[mark], 2u);
    atomicSub(&ballot.marks[mark], 1u);
    atomicMax(&voters, mark);
}

@compute @workgroup_size(64)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let number = given[id.x];
    vote(number);
    atomicMin(&extremes.lowest, number);
    atomicMax(&extremes.highest, number);
    atomicAdd(&extremes.total, number);
    atomicAnd(&masks[0], u32(number) | 0xffff0000u);
    atomicOr(&masks[1], u32(number) & 0xffffu);
    atomicXor(&masks[2], u32(number));
    atomicMin(&masks[3], u32(number));
    atomicXor(&ballot.mask, 1u << (lane % 32u));
    let attempt = atomicCompareExchangeWeak(&ballot.winner, 0, i32(lane) + 1);
    if attempt.exchanged {
        atomicAdd(&masks[4], u32(attempt.old_value) + 1u);
    }
    workgroupBarrier();
    if lane < 8u {
        let before = atomicExchange(&ballot.marks[lane], lane);
        atomicStore(&masks[8u + group.x * 8u + lane], before);
    }
    workgroupBarrier();
    let own = &masks[64u + id.x];
    swapped[id.x] = vec2(atomicExchange(own, id.x), atomicLoad(&ballot.marks[lane % 8u]) + atomicLoad(&voters));
}
