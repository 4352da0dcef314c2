-- The text of models of which no backend says more. A backend may be a provider, so that they do not run here.
update models set description = 'A backend has it; the catalogue knows no more of it.'
  where source = 'backend' and description = 'Runs on a backend here; the catalogue knows no more of it.';
