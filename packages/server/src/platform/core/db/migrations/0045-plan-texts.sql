-- A plan says which sizes of models it lets people call, not that the server runs every model of the catalogue. Texts
-- that an operator changed stay.
update plans set description = 'Models of every size that this server runs.'
  where id = 'feather_pro_plus' and description = 'Every model in the catalogue.';
update plans set description = 'Models of every size, and deployments of your own.'
  where id = 'feather_max' and description = 'Everything, and deployments of your own.';
update plans set features = array_replace(features, 'Any model', 'Models of any size')
  where id in ('feather_pro_plus', 'feather_max', 'feather_request_pricing', 'feather_enterprise');
