// A bot that speaks the protocol itself: any legal move, in every game, in as many matches as it is invited to.
// Node 22 or later, no packages:  node bot_in_40_lines.js ws://127.0.0.1:8765 NAME

if (typeof WebSocket === "undefined") {
  console.error("This needs Node 22 or later.");
  process.exit(1);
}

const [url, name] = process.argv.slice(2);
const server = new WebSocket(url, "arbitre.v1");
let id = 0; // each message has an id of ours, which the server's ok or error repeats

function say(type, fields) {
  id += 1;
  server.send(JSON.stringify({ type, id, ...fields }));
}

server.addEventListener("open", () => {
  say("hello", { protocol: 1, client: "forty-lines-js", kind: "bot", name });
});

server.addEventListener("message", (event) => {
  const told = JSON.parse(event.data);
  if (told.type === "invitation") {
    say("join", { match: told.match });
  } else if (told.type === "your_turn") {
    const move = told.legal[Math.floor(Math.random() * told.legal.length)];
    say("move", { match: told.match, ply: told.ply, move });
  } else if (told.type === "welcome" || told.type === "error") {
    console.error(told.message ?? "ready");
  }
});

server.addEventListener("error", () => {
  console.error("The server can't be reached any more.");
  process.exitCode = 1;
});
