code = "part both vertex 1\nmov op, va0\nmov v0, va1\nendpart\n"
     + "part both fragment 1\nmov oc, v0\nendpart\n";
