case "fragment":
  code = "mov oc, fc0";
  break;
