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
    }
}
