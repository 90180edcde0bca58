        // Away3D
        arcane override function getFragmentPostLightingCode(vo : MethodVO, regCache : ShaderRegisterCache, targetReg : ShaderRegisterElement) : String
        {
            var code : String = "";
            code += "dp3 ft1.x, v1.xyz, fc5.xyz \n" +
                    "sat ft1.x, ft1.x \n" +
                    "mul " + targetReg + ".xyz, " + targetReg + ".xyz, ft1.x \n";
            return code;
        }
