// Initial scenes that are not in testdata.

import { SCENE, type SourceFile } from "../state.ts";

export const START_VERTEX = "start.vert.agal";
export const START_FRAGMENT = "start.frag.agal";

export const VERTEX = `// agal 1 vertex
m44 op, va0, vc0        // vc0 to vc3: from model space to clip space
mov v0, va1             // texture coordinates
m33 v1.xyz, va2, vc4    // the normal
mov v1.w, va2.w
`;

export const FRAGMENT = `// agal 1 fragment
// fc0 = light
// fc1 = colour
tex ft0, v0, fs0 <2d,linear,miplinear,repeat>
nrm ft1.xyz, v1.xyz
dp3 ft1.x, ft1.xyz, fc0.xyz
sat ft1.x, ft1.x
add ft1.x, ft1.x, fc0.w
mul ft0, ft0, fc1
mul ft0.xyz, ft0.xyz, ft1.x
mov oc, ft0
`;

export const SCENE_TEXT = `vertex = "${START_VERTEX}"
fragment = "${START_FRAGMENT}"
size = 512
clear = "#1c222b"
cull = "back"
mesh = "sphere"

[textures]
fs0 = "checker"

[constants]
vc0 = "clip"
vc4 = "normal"
fc0 = [0.48, 0.62, -0.62, 0.2]
fc1 = "#f2e6cc"
`;

export const START: readonly SourceFile[] = [
  { name: START_VERTEX, data: VERTEX },
  { name: START_FRAGMENT, data: FRAGMENT },
  { name: SCENE, data: SCENE_TEXT },
];
