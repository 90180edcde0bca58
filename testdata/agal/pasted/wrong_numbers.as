var code:Array = [160, 1, 0, 0, 0, 161, 1, 0, 0, 256, length, 0, 0, 15];
