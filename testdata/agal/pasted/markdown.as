```as3
var fs:String = "mov oc, fc0";
```
