/** Starts the console. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import "./theme";

render(<App />, document.body);
