import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./shell/finder";
import "./styles/frame/faces.css";
import "./styles/frame/theme.css";
import "./styles/frame/shell.css";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
