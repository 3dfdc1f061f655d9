import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./styles/theme.css";
import "./styles/shell.css";
import "./styles/library.css";
import "./styles/graph.css";
import "./styles/drawer.css";
import "./styles/ask.css";
import "./styles/health.css";
import "./styles/sessions.css";
import "./styles/builds.css";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
