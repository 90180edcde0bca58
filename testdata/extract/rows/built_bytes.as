// Bytes that code builds.
package {
    import flash.display3D.Context3D;
    import flash.utils.ByteArray;
    import flash.utils.Endian;

    public class BuiltBytes {
        public function upload(context:Context3D):void {
            context.createProgram().upload(code(0), code(1));
        }

        // mov op, va0 and mov oc, v0
        private function code(stage:int):ByteArray {
            var bytes:ByteArray = new ByteArray();
            bytes.endian = Endian.LITTLE_ENDIAN;
            bytes.writeByte(0xa0);
            bytes.writeUnsignedInt(1);
            bytes.writeByte(0xa1);
            bytes.writeByte(stage);
            var words:Array = [0, 0x030f0000, 0, stage == 0 ? 0x00e40000 : 0x00e40000];
            bytes.writeUnsignedInt(words[0]);
            bytes.writeUnsignedInt(words[1]);
            bytes.writeShort(0);
            bytes.writeByte(0);
            bytes.writeByte(0xe4);
            bytes.writeUnsignedInt(stage == 0 ? 0 : 4);
            bytes.writeUnsignedInt(0);
            bytes.writeUnsignedInt(0);
            return bytes;
        }

        // Texts that are unpacked: `m44 op, va0, vc0; mov v0, va1` and `mul oc, v0, fc0`.
        public function unpacked(context:Context3D):void {
            var vertex:ByteArray = bytesOf([203, 53, 49, 81, 200, 47, 208, 81, 40, 75, 52, 0, 18, 201, 6, 92, 185, 249, 101, 10, 101, 32, 118, 162, 33, 0]);
            vertex.inflate();
            var fragment:ByteArray = bytesOf([120, 218, 203, 45, 205, 81, 200, 79, 214, 81, 40, 51, 208, 81, 72, 75, 54, 0, 0, 38, 225, 4, 120]);
            fragment.uncompress();
            var broken:ByteArray = bytesOf([1, 2, 3, 4]);
            broken.uncompress();
            var assembler:AGALMiniAssembler = new AGALMiniAssembler();
            context.createProgram().upload(
                assembler.assemble("vertex", vertex.readUTFBytes(vertex.length)), assembler.assemble("fragment", fragment.toString()));
            assembler.assemble("fragment", "mov oc, fc" + broken.readByte());
        }

        private function bytesOf(list:Array):ByteArray {
            var bytes:ByteArray = new ByteArray();
            for each (var byte:int in list) bytes.writeByte(byte);
            return bytes;
        }
    }
}
