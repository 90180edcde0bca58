f
layout(set = 0, binding = 0) uniform B { vec3 a[3]; } b;
void main() { int i = 0; do { b ; } while (i < 3); }
