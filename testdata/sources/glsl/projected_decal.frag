#version 450
// Decal: projects a picture onto what lies in a box, from the depth of the scene.
layout(location = 0) in vec4 clip_place;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D depths;
layout(set = 0, binding = 1) uniform texture2D decal;
layout(set = 0, binding = 2) uniform sampler smooth_sampler;
layout(set = 0, binding = 3) uniform Projection {
    mat4 inverse_clip;
    mat4 box;
    vec4 tint;
    float angle_fade;
} projection;

vec3 world_at(vec2 ndc, float depth) {
    vec4 h = projection.inverse_clip * vec4(ndc, depth, 1.0);
    return h.xyz / h.w;
}

bool outside(vec3 p) {
    return any(greaterThan(abs(p), vec3(0.5)));
}

void main() {
    vec2 ndc = clip_place.xy / clip_place.w;
    float depth = texture(sampler2D(depths, smooth_sampler), ndc * vec2(0.5, -0.5) + 0.5).r;
    vec3 world = world_at(ndc, depth);
    vec3 surface = normalize(cross(dFdx(world), dFdy(world)));
    mat4 to_box = inverse(projection.box);
    vec3 local = (to_box * vec4(world, 1.0)).xyz;
    if (outside(local)) {
        discard;
    }
    vec4 paint = texture(sampler2D(decal, smooth_sampler), local.xz + 0.5) * projection.tint;
    vec3 up = normalize(projection.box[1].xyz);
    float facing = clamp((dot(surface, up) - projection.angle_fade) / (1.0 - projection.angle_fade), 0.0, 1.0);
    float cap = 1.0 - smoothstep(0.4, 0.5, abs(local.y));
    color = vec4(paint.rgb, paint.a * facing * cap);
}
