// One action against a broker, told on the command line; what happens is printed, a line each.
//
//   client URL send ADDRESS BODY...          each with the property `key`, its first letter; prints outcomes
//   client URL relay ADDRESS BODY            on a link without a target
//   client URL read ADDRESS COUNT            takes and accepts
//   client URL browse ADDRESS COUNT
//   client URL select ADDRESS COUNT SELECTOR
//   client URL settle ADDRESS OUTCOME...     accept, reject, release or modify, one message at a time
//   client URL large ADDRESS BYTES           sends a message of so many bytes, and prints the size of the next
//   client URL request                       sends to a dynamic node of its own, and reads that
//
// The environment variable CA names the file of authorities whom amqps:// believes.

#include <proton/connection.hpp>
#include <proton/connection_options.hpp>
#include <proton/container.hpp>
#include <proton/delivery.hpp>
#include <proton/error_condition.hpp>
#include <proton/message.hpp>
#include <proton/messaging_handler.hpp>
#include <proton/receiver.hpp>
#include <proton/receiver_options.hpp>
#include <proton/sender.hpp>
#include <proton/sender_options.hpp>
#include <proton/source.hpp>
#include <proton/source_options.hpp>
#include <proton/ssl.hpp>
#include <proton/target_options.hpp>
#include <proton/tracker.hpp>
#include <proton/transport.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

class Client : public proton::messaging_handler {
 public:
  Client(std::string url, std::string action, std::vector<std::string> arguments)
      : url_(std::move(url)), action_(std::move(action)), arguments_(std::move(arguments)) {}

  void on_container_start(proton::container& container) override {
    proton::connection_options options;
    if (const char* authorities = std::getenv("CA"))
      options.ssl_client_options(proton::ssl_client_options(authorities, proton::ssl::VERIFY_PEER_NAME));
    container.connect(url_, options);
  }

  void on_connection_open(proton::connection& connection) override {
    if (action_ == "send" || action_ == "large")
      connection.open_sender(arguments_[0]);
    else if (action_ == "relay")
      open_relay(connection);
    else if (action_ == "request")
      connection.open_receiver("", proton::receiver_options().source(proton::source_options().dynamic(true)));
    else
      read(connection);
  }

  void on_sendable(proton::sender& sender) override {
    while (sender.credit() && sent_ < to_send()) sender.send(next());
  }

  void on_tracker_accept(proton::tracker& tracker) override { told("accepted", tracker); }
  void on_tracker_reject(proton::tracker& tracker) override { told("rejected", tracker); }
  void on_tracker_release(proton::tracker& tracker) override { told("released", tracker); }

  void on_receiver_open(proton::receiver& receiver) override {
    if (action_ != "request") return;
    replies_ = receiver.source().address();
    open_relay(receiver.connection());
  }

  void on_message(proton::delivery& delivery, proton::message& message) override {
    if (action_ == "large")
      std::cout << proton::get<proton::binary>(message.body()).size() << std::endl;
    else
      std::cout << message.body() << std::endl;
    ++read_;
    if (action_ == "settle") {
      settle(delivery, arguments_[read_]);
      if (read_ + 1 < arguments_.size())
        delivery.receiver().add_credit(1);
      else
        delivery.receiver().close();
    } else if (read_ == to_read()) {
      delivery.connection().close();
    }
  }

  void on_receiver_close(proton::receiver& receiver) override { receiver.connection().close(); }

  void on_error(const proton::error_condition& fault) override {
    std::cout << fault.name() << std::endl;
    std::exit(1);
  }

 private:
  std::size_t to_send() const { return action_ == "send" ? arguments_.size() - 1 : 1; }

  std::size_t to_read() const {
    return action_ == "large" || action_ == "request" ? 1 : std::stoul(arguments_[1]);
  }

  proton::message next() {
    ++sent_;
    if (action_ == "large") return proton::message(proton::binary(std::stoul(arguments_[1]), 'x'));
    proton::message message(action_ == "request" ? "reply" : arguments_[sent_]);
    if (action_ == "relay") message.to(arguments_[0]);
    if (action_ == "request") message.to(replies_);
    if (action_ == "send") message.properties().put("key", arguments_[sent_].substr(0, 1));
    return message;
  }

  void told(const std::string& outcome, proton::tracker& tracker) {
    std::cout << outcome << std::endl;
    if (++settled_ < to_send()) return;
    if (action_ == "large")
      tracker.connection().open_receiver(arguments_[0]);
    else if (action_ != "request")
      tracker.connection().close();
  }

  static void open_relay(proton::connection connection) {
    proton::target_options nobody = proton::target_options().anonymous(true);
    connection.open_sender("", proton::sender_options().target(nobody));
  }

  void read(proton::connection& connection) {
    proton::source_options source;
    if (action_ == "browse") source.distribution_mode(proton::source::COPY);
    if (action_ == "select") {
      proton::source::filter_map filters;
      proton::codec::encoder selector(filter_);
      selector << proton::codec::start::described() << proton::symbol("apache.org:selector-filter:string")
               << arguments_[2] << proton::codec::finish();
      filters.put("selector", filter_);
      source.filters(filters);
    }
    proton::receiver_options options = proton::receiver_options().source(source);
    if (action_ == "settle") options.auto_accept(false).credit_window(0);
    proton::receiver receiver = connection.open_receiver(arguments_[0], options);
    if (action_ == "settle") receiver.add_credit(1);
  }

  static void settle(proton::delivery& delivery, const std::string& outcome) {
    if (outcome == "accept") delivery.accept();
    if (outcome == "reject") delivery.reject();
    if (outcome == "release") delivery.release();
    if (outcome == "modify") delivery.modify();
  }

  const std::string url_, action_;
  const std::vector<std::string> arguments_;
  std::string replies_;
  proton::value filter_;
  std::size_t sent_ = 0, settled_ = 0, read_ = 0;
};

int main(int count, char** arguments) {
  Client client(arguments[1], arguments[2], std::vector<std::string>(arguments + 3, arguments + count));
  proton::container(client).run();
}
