f
#version 450
layout(location = 0) out vec4 c;
layout(set = 0, binding = 0) uniform B { vec4 a[3]; } b;
void main() { int i = 0; do { c += b.a[i]; i++; } while (i < 3); }
