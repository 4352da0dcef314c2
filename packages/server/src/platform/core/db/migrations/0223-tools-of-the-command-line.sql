-- The command line calls tools for people who allow it at the sign-in.
update applications set scopes = array_append(scopes, 'tools.call')
  where id = 'app_feather_cli' and not 'tools.call' = any (scopes);
