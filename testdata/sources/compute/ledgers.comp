#version 450
// An array of storage buffers at computed indices: each invocation writes to one of three.
layout(local_size_x = 6) in;
layout(std430, binding = 0) buffer Ledger { int sum; int entries[]; } ledgers[3];
layout(std430, binding = 3) buffer Report { int report[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    ledgers[i % 3].entries[i] += int(i) * 10;
    report[i] = ledgers[(i + 1) % 3].sum + ledgers[2].entries.length();
}
