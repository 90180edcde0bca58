#version 450
// Text: one instance a glyph; the quad grows by the width of the outline.
layout(location = 0) in vec4 glyph_rect;
layout(location = 1) in vec4 atlas_rect;
layout(location = 2) in vec4 ink;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 v_ink;

layout(set = 0, binding = 0) uniform Page {
    vec2 size;
    vec2 offset;
    float grow;
    float zoom;
} page;

vec2 unit_corner(int i) {
    const vec2 corners[6] = vec2[6](
        vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0),
        vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)
    );
    return corners[i];
}

void main() {
    vec2 corner = unit_corner(int(gl_VertexIndex) % 6);
    vec2 wide = (corner * 2.0 - 1.0) * page.grow;
    vec2 at = (glyph_rect.xy + corner * glyph_rect.zw + wide + page.offset) * page.zoom;
    vec2 ratio = atlas_rect.zw / glyph_rect.zw;
    uv = atlas_rect.xy + corner * atlas_rect.zw + wide * ratio;
    v_ink = ink;
    gl_Position = vec4(at / page.size * 2.0 - 1.0, 0.0, 1.0);
    gl_Position.y = -gl_Position.y;
}
