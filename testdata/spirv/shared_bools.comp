#version 450
// Workgroup variables that contain bools.
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Numbers { uint numbers[]; };
struct Seen { bvec2 both; float at; };
shared bool odd[4];
shared Seen seen[2];
void main() {
    uint i = gl_LocalInvocationIndex;
    odd[i] = (numbers[i] & 1u) != 0u;
    if (i < 2u) {
        seen[i] = Seen(bvec2(i == 0u, true), 0.5);
        seen[i].both.y = odd[i];
    }
    barrier();
    Seen first = seen[i & 1u];
    numbers[i] = odd[3u - i] && first.both.x ? 7u : uint(all(first.both));
}
