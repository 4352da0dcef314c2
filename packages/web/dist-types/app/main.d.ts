import "#/styles/index.css";
