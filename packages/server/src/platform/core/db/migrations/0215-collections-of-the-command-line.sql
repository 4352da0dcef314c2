-- The command line reads and changes collections for people who allow it at the sign-in.
update applications set scopes = array_append(scopes, 'collections.write')
  where id = 'app_feather_cli' and not 'collections.write' = any (scopes);
