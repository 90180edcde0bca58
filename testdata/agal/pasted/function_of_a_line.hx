inline function f(i:Int) return 'mov oc, fc$i';
