// The adviser beside the board: a bar, its best lines, and the graph of a whole game. It never moves.

import { $, el, put, svg } from "./dom.js";
import { numberOf } from "./format.js";

const WIDTH = 300;
const HEIGHT = 90;

export class Analysis {
  /**
   * `send(type, fields)` talks to the server, `look(ply)` shows a position, `line(moves)` draws one,
   * `heat(moves)` draws the network's policy, `paths(on)` shows the shortest paths.
   */
  constructor(actions) {
    this.actions = actions;
    this.report = null;
    this.pointed = null;
    this.engine = $("engine");
    this.network = $("network");
    this.engine.addEventListener("change", () => this.ask());
    this.network.addEventListener("change", () => this.askPolicy());
    $("paths").addEventListener("change", () => actions.paths($("paths").checked));
    $("analyse-game").addEventListener("click", () => this.askReport());
    $("next-mistake").addEventListener("click", () => this.nextMistake());
    $("graph").addEventListener("click", (event) => this.clickedGraph(event));
  }

  /** Another position is on the board. */
  show(game, shown) {
    const { ply } = shown;
    const changed = this.game?.number !== game.number;
    const key = `${game.number}/${ply}/${game.moves.slice(0, ply).join(" ")}`;
    this.game = game;
    this.ply = ply;
    this.over = shown.to_move === null;
    if (changed) this.setReport(null);
    this.compare();
    $("paths").parentElement.hidden = !game.board.paths;
    $("network").parentElement.hidden = !game.network;
    if (key !== this.key) {
      this.key = key;
      this.showLines(null);
      this.ask();
      this.askPolicy();
    }
    this.drawGraph();
    const analysed = this.report && this.report.moves.join() === game.moves.join();
    $("analyse-game").disabled = !game.moves.length || Boolean(analysed) || this.waiting;
  }

  /** See how far the report speaks of this game: moves may have been taken back, and others played. */
  compare() {
    const moves = this.report?.moves ?? [];
    const other = moves.findIndex((move, ply) => move !== this.game.moves[ply]);
    const same = other < 0 ? moves.length : other;
    if (same === this.same) return;
    this.same = same;
    this.actions.marks(this.mistakes);
  }

  /** The report's mistakes that are moves of this game. */
  get mistakes() {
    return this.report?.mistakes.filter((mistake) => mistake.ply <= this.same) ?? [];
  }

  /** Ask and draw again, even for the same position. */
  refresh() {
    this.key = null;
  }

  /** The line is back: what was asked before is forgotten. */
  renew() {
    this.refresh();
    this.waiting = this.asked = false;
  }

  ask() {
    const on = this.engine.checked;
    document.body.classList.toggle("engine-on", on);
    if (!on) this.showLines(null);
    if (this.game && (on || this.asked)) this.actions.send("analyse", { on, ply: this.ply });
    this.asked = on;
  }

  askPolicy() {
    if (!this.network.checked || this.over) this.actions.heat(null);
    else if (this.game?.network) this.actions.send("policy", { ply: this.ply });
  }

  askReport() {
    if (this.actions.send("report", { on: true })) {
      this.waiting = true;
      $("analyse-game").disabled = true;
    }
  }

  hear(message) {
    if (message.type === "analysis" && message.ply === this.ply && this.engine.checked) {
      this.showLines(message);
    } else if (message.type === "policy" && message.ply === this.ply && this.network.checked) {
      this.actions.heat(message.moves);
    } else if (message.type === "report") this.hearReport(message);
  }

  hearReport(message) {
    if (!message.chances) {
      $("progress").hidden = false;
      $("progress").value = message.done / message.of;
      return;
    }
    this.waiting = false;
    this.setReport(message);
    this.drawGraph();
  }

  setReport(report) {
    this.report = report;
    this.waiting = false;
    $("progress").hidden = true;
    $("report").hidden = !report;
    this.same = null;
    this.compare();
    if (!report) return;
    const [first, second] = report.accuracy.map((share) =>
      share === null ? "–" : `${Math.round(100 * share)}%`,
    );
    $("accuracy").textContent = `Accuracy: player 1 ${first}, player 2 ${second}`;
  }

  showLines(message) {
    const chance = message?.lines?.length ? message.chance : null;
    const reported = this.ply <= this.same ? this.report?.chances[this.ply] : null;
    this.setBar(chance ?? reported ?? null);
    const lines = message?.lines ?? [];
    const words = !this.engine.checked
      ? ""
      : !message
        ? "The engine is looking…"
        : !lines.length
          ? "The game is over."
          : `Depth ${lines[0].depth}${message.done ? "" : ", looking deeper…"}`;
    $("engine-state").textContent = words;
    this.setLines(lines);
  }

  /** Buttons stay when lines change, and with them whoever points at one or has it in focus. */
  setLines(lines) {
    this.lines = lines;
    const list = $("lines");
    while (list.children.length > lines.length) list.lastChild.remove();
    while (list.children.length < lines.length) list.append(this.lineButton(list.children.length));
    lines.forEach((line, index) => {
      const [verdict, moves] = list.children[index].firstChild.children;
      verdict.textContent = line.verdict;
      moves.textContent = line.moves.map((step) => step.move).join(" ");
    });
    this.point(this.pointed < lines.length ? this.pointed : null);
  }

  /** Show a line on the board, or none. */
  point(index) {
    this.pointed = index;
    this.actions.line(index === null ? null : this.lines[index].moves);
  }

  lineButton(index) {
    const show = () => this.point(index);
    const hide = () => this.point(null);
    const attributes = {
      type: "button", class: "line", onmouseenter: show, onmouseleave: hide, onfocus: show,
      onblur: hide, onclick: show,
    };
    const parts = [el("span", { class: "verdict" }), el("span", { class: "line-moves" })];
    return el("li", {}, el("button", attributes, ...parts));
  }

  /** Player 1's chance to win, from 0 to 1. */
  setBar(chance) {
    const share = chance ?? 0.5;
    $("bar-fill").style.setProperty("--share", share);
    $("bar").classList.toggle("unknown", chance === null);
    const percent = Math.round(100 * share);
    $("bar-text").textContent = chance === null ? "" : `${Math.max(percent, 100 - percent)}`;
    $("bar").classList.toggle("second", share < 0.5);
    $("bar").setAttribute(
      "aria-label",
      chance === null ? "Evaluation: not known" : `Evaluation: player 1 wins with ${percent}%`,
    );
  }

  // The graph.

  x(ply) {
    return (ply / Math.max(1, this.report.chances.length - 1)) * WIDTH;
  }

  drawGraph() {
    if (!this.report) return;
    const { chances, turning } = this.report;
    const { mistakes } = this;
    $("next-mistake").disabled = !mistakes.length;
    const points = chances.map((chance, ply) => `${this.x(ply)} ${HEIGHT * (1 - chance)}`);
    const middle = HEIGHT / 2;
    const area = `M0 ${middle}L${points.join("L")}L${WIDTH} ${middle}Z`;
    const dots = mistakes.filter((mistake) => turning.includes(mistake.ply)).map((mistake) =>
      svg(
        "circle",
        {
          class: `turn player${mistake.player}`,
          cx: this.x(mistake.ply),
          cy: HEIGHT * (1 - chances[mistake.ply]),
          r: 4,
        },
        svg("title", {}, describeMistake(this.game, mistake)),
      ),
    );
    put(
      $("graph"),
      svg("rect", { class: "graph-ground", width: WIDTH, height: HEIGHT }),
      svg("path", { class: "area", d: area }),
      svg("path", { class: "curve", d: `M${points.join("L")}` }),
      svg("path", { class: "even", d: `M0 ${middle}H${WIDTH}` }),
      this.ply <= this.same
        ? svg("path", { class: "here", d: `M${this.x(this.ply)} 0V${HEIGHT}` })
        : null,
      ...dots,
    );
    const mistake = mistakes.find((each) => each.ply === this.ply);
    $("mistake").textContent = mistake ? describeMistake(this.game, mistake) : "";
  }

  clickedGraph(event) {
    const box = $("graph").getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const ply = Math.round(share * (this.report.chances.length - 1));
    this.actions.look(Math.max(0, Math.min(this.game.moves.length, ply)));
  }

  /** On to the next move that gave something away, and round again. */
  nextMistake() {
    const plies = this.mistakes.map((mistake) => mistake.ply);
    const next = plies.find((ply) => ply > this.ply) ?? plies[0];
    if (next !== undefined) this.actions.look(next);
  }
}

function describeMistake(game, mistake) {
  const percent = (share) => `${Math.round(100 * share)}%`;
  return (
    `${numberOf(game, mistake.ply - 1)}. ${mistake.move}${mistake.mark}: ` +
    `player ${mistake.player} from ${percent(mistake.before)} to ${percent(mistake.after)}. ` +
    `Better: ${mistake.better}`
  );
}
