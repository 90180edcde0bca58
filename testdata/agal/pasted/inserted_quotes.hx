var code = 'mov oc, ${registers['colour']}';
