#version 450

// A chain of points that springs hold together. A point is a structure; those that are fixed do not move. The block that they are
// read from begins with what pulls at all of them.

layout(local_size_x = 16) in;

struct Point {
    vec3 place;
    float mass;
    vec3 speed;
    uint is_fixed;
};

layout(set = 0, binding = 0, std140) uniform Step {
    float seconds;
    float stiffness;
    vec2 wind;
};

layout(set = 0, binding = 1, std430) readonly buffer Before {
    vec4 gravity;
    Point points[];
} before;

layout(set = 0, binding = 2, std430) writeonly buffer After {
    Point after[];
};

vec3 pull(vec3 own, uint other) {
    if (other >= uint(before.points.length())) {
        return vec3(0.0);
    }
    vec3 way = before.points[other].place - own;
    return way * (1.0 - 1.0 / (length(way) + 0.125)) * stiffness;
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    Point point = before.points[at];
    if (point.is_fixed == 0u) {
        vec3 force = pull(point.place, at + 1u) + pull(point.place, at - 1u) + vec3(wind, 0.0);
        force += before.gravity.xyz * point.mass;
        point.speed += force * seconds / max(point.mass, 0.0625);
        point.place += point.speed * seconds;
    }
    after[at] = point;
}
