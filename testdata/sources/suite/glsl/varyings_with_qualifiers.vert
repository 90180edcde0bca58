#version 450
// Outputs that are flat, without perspective, and for centroids and samples, which do not matter in this stage.
layout(location = 0) in vec4 a;
layout(location = 0) flat out vec2 one;
layout(location = 1) noperspective out vec2 two;
layout(location = 2) centroid out vec2 three;
layout(location = 3) smooth out vec2 four;
layout(location = 4) sample out vec2 five;

void main() {
    gl_Position = vec4(a.xyz * 0.5, 1.0);
    one = a.xy;
    two = a.yz;
    three = a.zw;
    four = one + two;
    five = four - three;
}
