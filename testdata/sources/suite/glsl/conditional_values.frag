#version 450
// The conditional operator for scalars, vectors and matrices.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Choices { mat2 one; mat2 two; vec4 tint; float limit; };

void main() {
    mat2 chosen = a.x > limit ? one : two;
    vec4 base = a.y < 0.5 ? tint : a.wzyx;
    float more = a.z > a.w ? a.z : a.w > 0.25 ? 0.75 : 0.125;
    colour = vec4(chosen * base.xy, base.zw) + more;
}
