"use strict";
(function () {
  // Filters: the page is complete without them.
  var form = document.getElementById("filters");
  if (form) {
    var text = document.getElementById("filter-text");
    var source = document.getElementById("filter-source");
    var steps = document.getElementById("filter-steps");
    var shown = document.getElementById("filter-shown");
    var none = document.getElementById("filter-none");
    var boxes = Array.prototype.slice.call(form.querySelectorAll("input[name=state]"));
    var rows = Array.prototype.slice.call(document.querySelectorAll("tr.claim"));
    var apply = function () {
      var words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      var states = {};
      boxes.forEach(function (box) { states[box.value] = box.checked; });
      var count = 0;
      rows.forEach(function (row) {
        var section = row.closest("section.source");
        var visible = states[row.dataset.state] !== false &&
          (steps.checked || !row.hasAttribute("data-step")) &&
          (!source.value || section.dataset.source === source.value) &&
          words.every(function (word) { return row.dataset.text.indexOf(word) >= 0; });
        row.hidden = !visible;
        count += visible ? 1 : 0;
      });
      document.querySelectorAll("table.results tbody").forEach(function (body) {
        body.hidden = !body.querySelector("tr.claim:not([hidden])");
      });
      document.querySelectorAll("section.source").forEach(function (section) {
        section.hidden = !section.querySelector("tr.claim:not([hidden])");
      });
      shown.textContent = count + " of " + rows.length + " shown";
      none.hidden = count > 0;
    };
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    apply();
  }
  // Copy buttons beside the replay lines.
  if (navigator.clipboard) {
    document.querySelectorAll("p.replay").forEach(function (line) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = "copy";
      button.addEventListener("click", function () {
        navigator.clipboard.writeText(line.querySelector("code").textContent).then(function () {
          button.textContent = "copied";
        });
      });
      line.insertBefore(button, line.querySelector("a"));
    });
  }
})();
