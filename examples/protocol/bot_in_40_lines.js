// A bot that speaks the protocol itself: any legal move, in every game, in as many matches as it is invited to.
// Node 20 or later, no packages:  node bot_in_40_lines.js ws://127.0.0.1:8765 NAME

const [url, name] = process.argv.slice(2);
let [id, token, tries, inside] = [0, undefined, 0, false]; // the token brings us back to our seats

function connect() {
  const server = new WebSocket(url, "arbitre.v1");
  const say = (type, fields) => server.send(JSON.stringify({ type, id: ++id, ...fields })); // each has an id of ours
  server.onopen = () => say("hello", { protocol: 1, client: "forty-lines-js", kind: "bot", name, token });
  server.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.type === "welcome") [token, tries, inside] = [told.token, 0, true];
    if (told.type === "invitation") say("join", { match: told.match });
    if (told.type === "your_turn") {
      const move = told.legal[Math.floor(Math.random() * told.legal.length)];
      say("move", { match: told.match, ply: told.ply, move });
    }
    if (told.type === "error" && told.code === "name_taken") leave(`The name ${name} is taken: choose another.`);
    if (told.type === "error" && (told.fatal || !inside) && !told.retry_after_ms) leave(`Refused: ${told.message}.`);
    if (told.type === "error") inside ? console.error(told.message) : server.close();
    if (told.type === "closing" && !told.retry_after_ms) leave("The server has closed.");
  };
  server.onerror = server.onclose = (event) => { // some versions of Node call both, and some one of them
    [server.onerror, server.onclose, inside] = [null, null, false];
    if (!token || event.code >= 4000 || ++tries > 20) leave("The server can't be reached any more.");
    setTimeout(connect, Math.min(50 * 2 ** tries, 5000)); // soon, then less and less often
  };
}

const leave = (words) => process.exit(console.error(words) ?? 1);

if (name === undefined) leave("node bot_in_40_lines.js ws://127.0.0.1:8765 NAME");
else if (typeof WebSocket !== "undefined") connect();
else { // Node 20 has it behind a flag
  const flags = ["--experimental-websocket", "--no-warnings", ...process.argv.slice(1)];
  const again = require("child_process").spawn(process.execPath, flags, { stdio: "inherit" });
  process.on("SIGTERM", () => again.kill()).on("exit", () => again.kill());
  again.on("exit", (code) => process.exit(code ?? 1));
}
