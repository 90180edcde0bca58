package {
class A {
 function f():String {
  return "a" +
   b(1,
    2);
 } } }
