-- The command line reads and saves chats of people who allow it at the sign-in.
update applications set scopes = array_append(scopes, 'chats.write')
  where id = 'app_feather_cli' and not 'chats.write' = any (scopes);
