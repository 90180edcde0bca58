v
#version 450
// Grass: blades as bent strips, placed on a jittered lattice by the number of the instance.
layout(location = 0) out float along;
layout(location = 1) out vec3 normal;
layout(location = 2) out float dry;

layout(set = 0, binding = 0) uniform Meadow {
    mat4 view_projection;
    vec2 wind;
    float time;
    float spacing;
    int columns;
} meadow;

struct Blade {
    vec3 root;
    float height;
    float angle;
    float lean;
};

float hash(int n) {
    n = (n << 13) ^ n;
    return float((n * (n * n * 15731 + 789221) + 1376312589) & 0x7fffffff) / 2147483647.0;
}

Blade make_blade(int index) {
    Blade b;
    vec2 cell = vec2(index % meadow.columns, index / meadow.columns);
    vec2 jitter = vec2(hash(index * 4), hash(index * 4 + 1));
    b.root = vec3(cell.x + jitter.x, 0.0, cell.y + jitter.y) * meadow.spacing;
    b.height = 0.4 + 0.4 * hash(index * 4 + 2);
    b.angle = 6.2832 * hash(index * 4 + 3);
    b.lean = 0.2 + 0.3 * jitter.x;
    return b;
}

void main() {
    Blade blade = make_blade(int(gl_InstanceIndex));
    int row = int(gl_VertexIndex) / 2;
    float side = int(gl_VertexIndex) % 2 == 0 ? -1.0 : 1.0;
    along = float(row) / 4.0;
    float gust = sin(meadow.time * 1.7 + dot(blade.root.xz, vec2(0.6, 0.4)));
    vec2 facing = vec2(cos(blade.angle), sin(blade.angle));
    vec2 bend = facing * blade.lean + meadow.wind * (0.6 + 0.4 * gust);
    vec3 p = blade.root;
    p.xz += bend * along * along * blade.height;
    p.y += along * blade.height * (1.0 - 0.2 * dot(bend, bend));
    p.xz += vec2(-facing.y, facing.x) * side * 0.02 * (1.0 - along);
    normal = normalize(vec3(facing.x, bend.x + bend.y, facing.y));
    dry = hash(int(gl_InstanceIndex) + 7);
    gl_Position = meadow.view_projection * vec4(p, 1.0);
}
