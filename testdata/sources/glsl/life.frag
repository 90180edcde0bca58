#version 450
// Life: one generation of the game, on a board that wraps around, in a texture of whole cells.
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D board;
layout(set = 0, binding = 1) uniform sampler board_sampler;
layout(set = 0, binding = 2) uniform Rules {
    ivec2 size;
    uint birth;
    uint survival;
    float fading;
} rules;

vec4 cell(ivec2 at) {
    ivec2 wrapped = (at + rules.size) % rules.size;
    return texelFetch(sampler2D(board, board_sampler), wrapped, 0);
}

int neighbours(ivec2 at) {
    int count = 0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            if (x == 0 && y == 0)
                continue;
            if (cell(at + ivec2(x, y)).r > 0.5)
                count++;
        }
    }
    return count;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 before = cell(at);
    uint bit = 1u << uint(neighbours(at));
    uint mask = before.r > 0.5 ? rules.survival : rules.birth;
    bool alive = (mask & bit) != 0u;
    float trail = alive ? 1.0 : before.g * rules.fading;
    color = vec4(float(alive), trail, before.b + (alive ? 1.0 / 255.0 : 0.0), 1.0);
}
