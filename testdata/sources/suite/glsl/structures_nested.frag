#version 450
// Structures in structures, with matrices and arrays as members.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
struct Joint { mat2 turn; vec2 place; };
struct Arm { Joint joints[2]; float reach; };

void main() {
    Arm arm;
    arm.reach = a.w;
    for (int i = 0; i < 2; i++) {
        arm.joints[i].turn = mat2(a.x, 0.5, -0.5, a.y);
        arm.joints[i].place = a.zw * float(i + 1);
    }
    arm.joints[k & 1].turn[1].x = 0.25;
    vec2 p = vec2(arm.reach);
    for (int i = 1; i >= 0; i--) p = arm.joints[i].turn * p + arm.joints[i].place;
    colour = vec4(p, arm.joints[1].turn[k & 1]);
}
